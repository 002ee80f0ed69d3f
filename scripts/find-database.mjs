// @ts-check
// Finds the database for one command: DATABASE_URL (environment or `.env`), or the database of the installation that
// runs from this folder, or the embedded server, which runs only during the command.
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryInUse, startEmbedded } from './embedded-postgres.mjs'
import { loadDotenv, postgresDirectory, settleEnvironment } from './environment.mjs'
import { requireDatabaseUrl } from './finished-build.mjs'
import { migrate, requireReachable } from './migrate.mjs'
import { findRunning } from './running.mjs'

/**
 * Sets the database and the secret key in `process.env`.
 * @returns {Promise<() => Promise<void>>} a function to call after the command
 */
export async function findDatabase() {
  const nothing = async () => {}
  loadDotenv()
  requireDatabaseUrl()
  if (process.env.DATABASE_URL) {
    settleEnvironment()
    await requireReachable(process.env.DATABASE_URL)
    return nothing
  }
  for (;;) {
    const running = await findRunning()
    if (running) {
      process.env.DATABASE_URL = running.databaseUrl
      // In development, `settleEnvironment` reads the stored secret key of the running process, which the command
      // needs. In production, the caller must set the secrets.
      process.env.BILLHOOK_ENV ||= running.environment
      process.env.PUBLIC_BASE_URL ||= running.baseUrl
      settleEnvironment()
      return nothing
    }
    try {
      settleEnvironment()
      const database = await startEmbedded({ directory: postgresDirectory(), purpose: 'command line' })
      process.env.DATABASE_URL = database.url
      await migrate(database.url)
      return database.stop
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error
      await sleep(50) // `npm start` has not finished its migrations, or another command is running.
    }
  }
}
