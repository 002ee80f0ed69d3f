// @ts-check
// Runs migrations with `pg` alone, because the container image has no Prisma command line. The table of migrations is
// compatible with Prisma.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrationName, unlimited } from './migration-connection.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** @typedef {{ name: string, checksum: string, script: string }} MigrationFile */

const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`
/**
 * Version 0.1.0 could leave an unfinished record if it was killed during a migration. This migration had no effect, so the record is
 * marked as rolled back.
 */
const FORGET_UNFINISHED = `UPDATE _prisma_migrations SET rolled_back_at = now()
  WHERE finished_at IS NULL AND rolled_back_at IS NULL`

const SHORT_TRY = `SET LOCAL lock_timeout = '1s'`
const pauseMs = 1_000
/** Milliseconds for which a migration is retried. A full backup holds locks that block migrations, but takes less time than this. */
const patienceMs = 30 * 60_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Sends each script and its record as one query, which PostgreSQL runs in one transaction, so a killed process leaves
 * no migration without a record. Throws a UserFacingError if a script fails.
 * @param {string} databaseUrl
 * @param {MigrationFile[]} files
 */
export async function applyMigrations(databaseUrl, files) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: unlimited,
    application_name: migrationName,
  })
  await client.connect()
  try {
    await client.query(`${TABLE}; ${FORGET_UNFINISHED}`)
    for (const { name, checksum, script } of files) {
      const values = [name, checksum].map((each) => client.escapeLiteral(each)).join(', ')
      const record = `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
        VALUES (gen_random_uuid()::text, ${values}, clock_timestamp(), 1)`
      await inShortTries(() => client.query(`${SHORT_TRY};${script}\n;${record}`)).catch((error) => {
        throw new UserFacingError(`The migration ${name} failed and changed nothing: ${error.message}.`)
      })
    }
  } finally {
    await client.end()
  }
}

/**
 * A statement that waits for a table lock blocks all later queries of the table. So each attempt gives up after a
 * second, and the script is retried. Scripts are transactions, so a failed attempt has no effect.
 * @param {() => Promise<unknown>} run
 */
async function inShortTries(run) {
  for (const end = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await run()
    } catch (error) {
      const { code } = /** @type {pg.DatabaseError} */ (error)
      if (code !== LOCK_NOT_AVAILABLE || Date.now() > end) throw error
    }
  }
}
