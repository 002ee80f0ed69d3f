// @ts-check
// Prisma's command line takes seconds to find that nothing is left to do; reading its table takes milliseconds.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { requirementProblem, requirementsStatement } from '../lib/platform/db/requirements.mjs'
import { root } from './environment.mjs'
import { prisma } from './install.mjs'
import { migrationName, unlimited } from './migration-connection.mjs'
import { step } from './progress.mjs'
import { UserFacingError } from './user-facing-error.mjs'

const UNDEFINED_DATABASE = '3D000'

/**
 * Throws a UserFacingError if the database cannot be reached or used, or a migration fails.
 * @param {string} databaseUrl
 */
export async function migrate(databaseUrl) {
  const client = await connected(databaseUrl, { options: unlimited }).catch((error) => {
    if (error.code === UNDEFINED_DATABASE) return null
    throw error
  })
  if (!client) {
    await deploy(databaseUrl, []) // Prisma also creates the database.
    return
  }
  try {
    await requireUsable(client, databaseUrl)
    const found = await migrationsOf(client)
    refuseNewer(found, databaseUrl)
    if (isCurrent(found)) return
    await requirePrivileges(client, databaseUrl)
    // One process at a time: a migration in progress looks like a migration that a killed process left.
    await client.query(`SELECT pg_advisory_lock(hashtext('billhook migrate'))`)
    const before = await migrationsOf(client)
    if (isCurrent(before)) return
    const stopWatching = reportWaits(client)
    await deploy(databaseUrl, before).finally(stopWatching)
    if (!isCurrent(await migrationsOf(client)))
      throw new UserFacingError(
        `The database ${nameOf(databaseUrl)} was migrated by other files than those of prisma/migrations; use another database.`,
      )
  } finally {
    await client.end()
  }
}

/** @param {string} databaseUrl @param {Migration[]} before */
function deploy(databaseUrl, before) {
  return step('Migrating the database', async () => {
    // A process was killed during a migration. A script and its mark take effect together, so a migration without its
    // mark has changed nothing. Prisma continues once the migration is marked as rolled back.
    for (const { name } of before.filter(({ isFinished }) => !isFinished))
      await prisma(['migrate', 'resolve', '--rolled-back', name], { DATABASE_URL: databaseUrl })
    await prisma(['migrate', 'deploy'], { DATABASE_URL: databaseUrl })
  })
}

const watchEveryMs = 500

/**
 * The migration gives up after a second and retries (`schema-engine.mjs`).
 * @param {pg.Client} client
 * @returns {() => Promise<void>} a function that stops the reports
 */
function reportWaits(client) {
  let said = ''
  let asking = Promise.resolve()
  const ask = async () => {
    const { rows } = await client.query(
      `SELECT wanted.relation::regclass::text AS "table", holder.pid, holder.application_name AS program,
         date_trunc('second', clock_timestamp() - holder.xact_start)::text AS since
       FROM pg_stat_activity AS migration
       JOIN pg_locks AS wanted ON wanted.pid = migration.pid AND NOT wanted.granted AND wanted.relation IS NOT NULL
       CROSS JOIN unnest(pg_blocking_pids(migration.pid)) AS blocking (pid)
       JOIN pg_stat_activity AS holder ON holder.pid = blocking.pid
       WHERE migration.datname = current_database() AND migration.application_name = $1
       ORDER BY holder.xact_start LIMIT 1`,
      [migrationName],
    )
    for (const { table, pid, program, since } of rows) {
      const key = `${table} ${pid}`
      if (key === said) continue
      said = key
      console.error(
        `The migration waits, in short tries, for the table ${table}: the database's process ${pid} (${program || 'without a name'}) has had it for ${since}.`,
      )
    }
  }
  const watching = setInterval(() => {
    // If the query fails, nothing is reported.
    asking = asking.then(ask).catch(() => undefined)
  }, watchEveryMs)
  return async () => {
    clearInterval(watching)
    await asking
  }
}

/**
 * Whether every folder of prisma/migrations has been applied in its current form.
 * @param {Migration[]} migrations
 */
function isCurrent(migrations) {
  const applied = new Map(
    migrations.filter(({ isFinished }) => isFinished).map(({ name, checksum }) => [name, checksum]),
  )
  return migrationFiles().every(({ name, checksum }) => applied.get(name) === checksum)
}

/**
 * An older version would read and write tables that it does not know.
 * @param {Migration[]} migrations @param {string} databaseUrl
 */
function refuseNewer(migrations, databaseUrl) {
  const known = migrationFiles().map(({ name }) => name)
  const unknown = migrations.find(({ name, isFinished }) => isFinished && !known.includes(name))
  if (!unknown) return
  throw new UserFacingError(
    `The database ${nameOf(databaseUrl)} belongs to a newer version of Billhook (migration ${unknown.name}). Start that version, or restore a backup of this version into another database.`,
  )
}

function migrationFiles() {
  const folder = path.join(root, 'prisma/migrations')
  return readdirSync(folder)
    .map((name) => ({ name, file: path.join(folder, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, checksum: createHash('sha256').update(readFileSync(file)).digest('hex') }))
}

/** @param {pg.Client} client @param {string} databaseUrl */
async function requireUsable(client, databaseUrl) {
  const problem = requirementProblem((await client.query(requirementsStatement)).rows[0])
  if (problem !== null) throw new UserFacingError(`The database ${nameOf(databaseUrl)} cannot be used. ${problem}`)
}

/** The extensions that migrations create. They ship with PostgreSQL, on some systems as a separate package. */
const extensions = ['btree_gist', 'pg_trgm']

/**
 * Checks the database user's rights before a migration would stop halfway.
 * @param {pg.Client} client
 * @param {string} databaseUrl
 */
async function requirePrivileges(client, databaseUrl) {
  const { rows } = await client.query(
    `SELECT current_user AS "user", coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayMakeTables",
       has_database_privilege(current_database(), 'CREATE') AS "mayMakeExtensions",
       ARRAY(SELECT each FROM unnest($1::text[]) each WHERE each NOT IN (SELECT extname FROM pg_extension)) AS missing,
       ARRAY(SELECT each FROM unnest($1::text[]) each WHERE each NOT IN (SELECT name FROM pg_available_extensions)) AS unavailable,
       (SELECT min(relname) FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r'
         AND NOT pg_has_role(relowner, 'USAGE')) AS foreign`,
    [extensions],
  )
  const [{ user, mayMakeTables, mayMakeExtensions, missing, unavailable, foreign }] = rows
  const name = nameOf(databaseUrl)
  const owner = `make ${user} the owner of the database (\`ALTER DATABASE … OWNER TO ${user}\`)`
  const problem = !mayMakeTables
    ? `may not make tables in the database ${name}: ${owner}, or grant CREATE on the schema public.`
    : !mayMakeExtensions && missing.length > 0
      ? `may not make the extension ${missing[0]} in the database ${name}: ${owner}, or make the extension as another user.`
      : foreign !== null
        ? `does not own the table ${foreign} in the database ${name}, and cannot migrate it: use the owner of the tables.`
        : null
  if (problem !== null) throw new UserFacingError(`The user ${user} ${problem}`)
  if (unavailable.length > 0)
    throw new UserFacingError(
      `The server of the database ${name} has no extension ${unavailable[0]}: install the contrib package of PostgreSQL.`,
    )
}

/** @typedef {{ name: string, checksum: string, isFinished: boolean }} Migration */

/** @param {pg.Client} client @returns {Promise<Migration[]>} */
async function migrationsOf(client) {
  const { rows: tables } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`)
  if (tables[0].name === null) return []
  const { rows } = await client.query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  )
  return rows
}

/**
 * Throws a UserFacingError if the database cannot be reached.
 * @param {string} databaseUrl
 */
export async function requireReachable(databaseUrl) {
  await (await connected(databaseUrl)).end()
}

/** @param {string} databaseUrl @param {pg.ClientConfig} [settings] */
async function connected(databaseUrl, settings) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000, ...settings })
  try {
    await client.connect()
    return client
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    throw Object.assign(
      new UserFacingError(`The database ${nameOf(databaseUrl)} cannot be reached: ${message || code}.`),
      {
        code,
      },
    )
  }
}

/**
 * The database's address without the password.
 * @param {string} databaseUrl
 */
function nameOf(databaseUrl) {
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `${pathname.slice(1)} at ${hostname}:${port || 5432}`
}
