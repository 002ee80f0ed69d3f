import { createHash } from 'node:crypto'
import pg from 'pg'
import { applyMigrations } from '../../scripts/apply-migrations.mjs'
import { migrationFiles } from '../../scripts/migrate.mjs'

const migrations = migrationFiles()

/** The name depends on the migrations, so that concurrent test runs with the same migrations share a template. */
export const templateName = `billhook_template_${createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16)}`

export async function setup(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is not set: `npm run test:db` starts a server and sets it.')
  await makeTemplate(url)
}

export async function makeTemplate(url: string): Promise<void> {
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  await server.query('SELECT pg_advisory_lock(20260101)')
  const { rowCount } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [templateName])
  if (rowCount === 0) {
    const making = `${templateName}_in_the_making`
    await server.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`)
    await server.query(`CREATE DATABASE ${making}`)
    await applyMigrations(Object.assign(new URL(url), { pathname: `/${making}` }).href, migrations)
    await server.query(`ALTER DATABASE ${making} RENAME TO ${templateName}`)
  }
  await server.end()
}
