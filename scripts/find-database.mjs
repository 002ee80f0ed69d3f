// @ts-check
// Finds the database for one command: DATABASE_URL of the environment or of `.env`, else the database of the
// installation that runs from this folder. Otherwise starts the embedded server, and stops it after the command.
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryInUse, startEmbedded } from './embedded-postgres.mjs'
import { loadDotenv, postgresDirectory, settleEnvironment } from './environment.mjs'
import { migrate, requireReachable } from './migrate.mjs'
import { findRunning } from './running.mjs'

/**
 * Sets the command's environment: the database and the secret key.
 * @returns {Promise<() => Promise<void>>} a function to call when the command has finished
 */
export async function findDatabase() {
  const nothing = async () => {}
  loadDotenv()
  if (process.env.DATABASE_URL) {
    settleEnvironment()
    await requireReachable(process.env.DATABASE_URL)
    return nothing
  }
  for (;;) {
    const running = await findRunning()
    if (running) {
      process.env.DATABASE_URL = running.databaseUrl
      // Uses the running process's secrets. In production the caller must set them.
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
      await sleep(50) // `npm start` has not migrated yet, or another command is running.
    }
  }
}
