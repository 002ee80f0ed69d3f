// @ts-check
// This file is JavaScript, because the migration scripts use it without a build.

/**
 * @typedef {object} Found
 * @property {number} version the major version of PostgreSQL
 * @property {string} encoding of the texts in the database
 * @property {boolean} isReadOnly
 * @property {boolean} isStandby whether the server replicates another server
 * @property {string | null} refusedTable a table that the database user may not read or change
 */

const leastVersion = 14

/** Returns one row, the input of `requirementProblem`. Works in PostgreSQL 9.0 and newer. */
export const requirementsStatement = `
  SELECT current_setting('server_version_num')::int / 10000 AS version, pg_encoding_to_char(encoding) AS encoding,
    current_setting('transaction_read_only') = 'on' AS "isReadOnly", pg_is_in_recovery() AS "isStandby",
    (SELECT min(c.relname) FROM pg_class c
      WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r'
        AND NOT (has_table_privilege(c.oid, 'SELECT') AND (c.relname = '_prisma_migrations' OR has_table_privilege(c.oid, 'INSERT')
          AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')))) AS "refusedTable"
  FROM pg_database WHERE datname = current_database()`

/**
 * Returns one sentence that says why the service cannot use the database, or null.
 * @param {Found} found
 * @returns {string | null}
 */
export function requirementProblem({ version, encoding, isReadOnly, isStandby, refusedTable }) {
  if (version < leastVersion) return `PostgreSQL ${version} is too old: it must be ${leastVersion} or newer.`
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}: make one with UTF8 (\`CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0\`).`
  if (isStandby) return 'The database is read-only, because its server is a standby: use the address of the primary.'
  if (isReadOnly) return 'The database is read-only: turn default_transaction_read_only off.'
  if (refusedTable !== null)
    return `The user of the database may not read and change the table ${refusedTable}: grant SELECT, INSERT, UPDATE and DELETE on all tables, or use their owner.`
  return null
}

/**
 * Returns one sentence if a connection failed because a pooler refuses the startup options of the session, or null.
 * @param {unknown} error
 * @returns {string | null}
 */
export const poolerProblem = (error) =>
  error instanceof Error && error.message.includes('unsupported startup parameter')
    ? 'The address in DATABASE_URL belongs to a pooler, which refuses startup options. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'
    : null
