// @ts-check
// The database for one command: the one of DATABASE_URL, else that of the installation that runs from this folder, else
// the embedded server, started for the command and stopped after it.
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryInUse, startEmbedded } from './embedded-postgres.mjs'
import { postgresDirectory, settleEnvironment } from './environment.mjs'
import { migrate, requireReachable } from './migrate.mjs'
import { findRunning } from './running.mjs'

/**
 * Sets the environment for the command: the database, the secret key.
 * @returns {Promise<() => Promise<void>>} what to do when the command is over
 */
export async function findDatabase() {
  const nothing = async () => {}
  if (process.env.DATABASE_URL) {
    settleEnvironment()
    await requireReachable(process.env.DATABASE_URL)
    return nothing
  }
  for (;;) {
    const running = await findRunning()
    if (running) {
      process.env.DATABASE_URL = running.databaseUrl
      // The same secrets as the process that runs: in production the caller has to give them.
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
      await sleep(50) // `npm start` has not migrated yet, or another command is at work.
    }
  }
}
