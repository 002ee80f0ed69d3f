// @ts-check
// This file is JavaScript, because the migration scripts use it without a build.

export const longestStatementMs = 30_000

/**
 * Settings of each connection. `random_page_cost` has the value for a solid-state disk. With the default value, a
 * foreign key check would scan a table that has only a few pages. PostgreSQL would keep this plan until the next
 * ANALYZE, even after the table has grown.
 */
export const sessionSettings = /** @type {const} */ ({
  statement_timeout: `${longestStatementMs / 1_000}s`,
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '30s',
  timezone: 'UTC',
  random_page_cost: '1.1',
})

/** @typedef {keyof typeof sessionSettings} Name */
/** @typedef {Readonly<Record<Name, string>>} Settings the values in one connection */

const names = /** @type {Name[]} */ (Object.keys(sessionSettings))

/** Returns one row of the type `Settings`. */
export const settingsStatement = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`

/** The names of the settings that have a value other than ours. @param {Settings} found */
export const foreignSettings = (found) => names.filter((name) => found[name] !== sessionSettings[name])

/**
 * Stores the settings as defaults of the database user in this database. Connections that are already open keep their
 * settings.
 * @param {import('pg').Client} client a direct connection without startup options
 */
export async function storeSettings(client) {
  const foreign = foreignSettings((await client.query(settingsStatement)).rows[0])
  if (foreign.length === 0) return
  const { rows } = await client.query('SELECT current_database() AS name')
  const user = `CURRENT_USER IN DATABASE ${client.escapeIdentifier(rows[0].name)}`
  // PostgreSQL runs the statements of one query in one transaction. The transaction takes a lock first, because
  // PostgreSQL refuses one of two concurrent changes of the same defaults.
  await client.query(
    [
      `SELECT pg_advisory_xact_lock(hashtext('billhook settings'))`,
      ...foreign.map((name) => `ALTER ROLE ${user} SET ${name} = '${sessionSettings[name]}'`),
    ].join('; '),
  )
}
