// @ts-check
// Brings a database to this version. Takes milliseconds if no migration is missing.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { poolerProblem, requirementProblem, requirementsStatement } from '../lib/platform/db/requirements.mjs'
import { storeSettings } from '../lib/platform/db/session-settings.mjs'
import { applyMigrations } from './apply-migrations.mjs'
import { root } from './environment.mjs'
import { migrationName, unlimited } from './migration-connection.mjs'
import { step } from './progress.mjs'
import { UserFacingError } from './user-facing-error.mjs'

const UNDEFINED_DATABASE = '3D000'
const DUPLICATE_DATABASE = ['42P04', '23505']

/**
 * Migrates the database of the service. Behind a pooler, also stores the settings of the service, before the service
 * makes the pooler open a connection: an open connection keeps the settings that it began with.
 * @param {string} databaseUrl the address of the database, or of its pooler if DATABASE_DIRECT_URL is set
 */
export async function migrateService(databaseUrl) {
  const directUrl = process.env.DATABASE_DIRECT_URL
  // Migrations need one database session, which a pooler does not guarantee.
  await migrate(directUrl || databaseUrl)
  if (!directUrl) return
  const client = await connected(directUrl)
  await storeSettings(client).finally(() => client.end())
}

/**
 * Creates a missing database. Throws a UserFacingError if the database is unusable or a migration fails.
 * @param {string} databaseUrl
 */
export async function migrate(databaseUrl) {
  const client = await connected(databaseUrl, { options: unlimited }).catch(async (error) => {
    if (error.code !== UNDEFINED_DATABASE) throw error
    await createDatabase(databaseUrl)
    return connected(databaseUrl, { options: unlimited })
  })
  try {
    await requireUsable(client, databaseUrl)
    const found = await migrationsOf(client)
    refuseNewer(found, databaseUrl)
    if (isCurrent(found)) return
    await requirePrivileges(client, databaseUrl)
    await client.query(`SELECT pg_advisory_lock(hashtext('billhook migrate'))`)
    const before = await migrationsOf(client)
    if (isCurrent(before)) return
    if (before.length === 0) await requireEmpty(client, databaseUrl)
    const isApplied = (/** @type {string} */ name) => before.some((each) => each.name === name && each.isFinished)
    const missing = migrationFiles().filter(({ name }) => !isApplied(name))
    const stopWatching = reportWaits(client)
    await step('Migrating the database', () => applyMigrations(databaseUrl, missing)).finally(stopWatching)
    if (!isCurrent(await migrationsOf(client)))
      throw new UserFacingError(
        `The database ${nameOf(databaseUrl)} was migrated with files that are not in prisma/migrations. Use another database.`,
      )
  } finally {
    await client.end()
  }
}

/** Another process may create the database at the same time. @param {string} databaseUrl */
async function createDatabase(databaseUrl) {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  const server = await connected(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href)
  try {
    await server.query(`CREATE DATABASE ${server.escapeIdentifier(name)}`).catch((error) => {
      if (!DUPLICATE_DATABASE.includes(error.code)) throw error
    })
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new UserFacingError(`The database ${nameOf(databaseUrl)} does not exist and cannot be created: ${message}.`)
  } finally {
    await server.end()
  }
}

/**
 * A database without migrations must be empty, except for tables of extensions.
 * @param {pg.Client} client @param {string} databaseUrl
 */
async function requireEmpty(client, databaseUrl) {
  const { rows } = await client.query(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations'
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
     ORDER BY relname LIMIT 1`,
  )
  if (rows.length > 0)
    throw new UserFacingError(
      `The database ${nameOf(databaseUrl)} has the table ${rows[0].name} of another program; use an empty database.`,
    )
}

const watchEveryMs = 500

/**
 * Reports who blocks the migration. The returned function stops the reports.
 * @param {pg.Client} client
 * @returns {() => Promise<void>}
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
        `The migration waits for the table ${table}. The database process ${pid} (${program || 'without a name'}) has held a lock for ${since}.`,
      )
    }
  }
  const watching = setInterval(() => {
    // The reports are optional, so a failed query is ignored.
    asking = asking.then(ask).catch(() => undefined)
  }, watchEveryMs)
  return async () => {
    clearInterval(watching)
    await asking
  }
}

/** Whether all migrations are applied in their current form. @param {Migration[]} migrations */
function isCurrent(migrations) {
  const applied = new Map(
    migrations.filter(({ isFinished }) => isFinished).map(({ name, checksum }) => [name, checksum]),
  )
  return migrationFiles().every(({ name, checksum }) => applied.get(name) === checksum)
}

/**
 * Throws a UserFacingError if a newer version has migrated the database, because this version may not know the newer
 * tables.
 * @param {Migration[]} migrations
 * @param {string} databaseUrl
 */
function refuseNewer(migrations, databaseUrl) {
  const known = migrationFiles().map(({ name }) => name)
  const unknown = migrations.find(({ name, isFinished }) => isFinished && !known.includes(name))
  if (!unknown) return
  throw new UserFacingError(
    `The database ${nameOf(databaseUrl)} belongs to a newer version of Billhook (migration ${unknown.name}). Start that version, or restore a backup of this version into another database.`,
  )
}

/** @returns {import('./apply-migrations.mjs').MigrationFile[]} sorted by name */
export function migrationFiles() {
  const folder = path.join(root, 'prisma/migrations')
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, file: path.join(folder, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const script = readFileSync(file, 'utf8')
      return { name, checksum: createHash('sha256').update(script).digest('hex'), script }
    })
}

/** @param {pg.Client} client @param {string} databaseUrl */
async function requireUsable(client, databaseUrl) {
  const problem = requirementProblem((await client.query(requirementsStatement)).rows[0])
  if (problem !== null) throw new UserFacingError(`The database ${nameOf(databaseUrl)} cannot be used. ${problem}`)
}

/** Extensions that migrations create. Some systems ship them in a separate package. */
const extensions = ['btree_gist', 'pg_trgm']

/**
 * Refuses a database user who lacks a right that the migrations need. Otherwise, a later migration could fail after earlier
 * migrations took effect.
 * @param {pg.Client} client @param {string} databaseUrl
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
    ? `cannot create tables in the database ${name}. Fix: ${owner}, or grant CREATE on the schema public.`
    : !mayMakeExtensions && missing.length > 0
      ? `cannot create the extension ${missing[0]} in the database ${name}. Fix: ${owner}, or create the extension as another user.`
      : foreign !== null
        ? `does not own the table ${foreign} in the database ${name}, and cannot migrate it. Use the owner of the tables.`
        : null
  if (problem !== null) throw new UserFacingError(`The user ${user} ${problem}`)
  if (unavailable.length > 0)
    throw new UserFacingError(
      `The server of the database ${name} has no extension ${unavailable[0]}. Install the contrib package of PostgreSQL.`,
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

/** Throws a UserFacingError if the database cannot be reached. @param {string} databaseUrl */
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
      new UserFacingError(
        poolerProblem(error) ?? `The database ${nameOf(databaseUrl)} cannot be reached: ${message || code}.`,
      ),
      {
        code,
      },
    )
  }
}

/** The name and host of the database, for messages. Omits the password. @param {string} databaseUrl */
function nameOf(databaseUrl) {
  const { hostname, port, pathname } = new URL(databaseUrl)
  // The address of a Unix socket has its folder as the host, such as %2Frun%2Fpostgresql.
  return `${pathname.slice(1)} at ${decodeURIComponent(hostname)}:${port || 5432}`
}
