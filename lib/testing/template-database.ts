import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'

export const templateName = 'billhook_template'

/**
 * Makes the template that every test file clones: a database with all migrations, on the server of TEST_DATABASE_URL.
 * Clones left over by an earlier run that was killed are dropped.
 */
export async function setup(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is not set: `npm run test:db` starts a server and sets it.')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>("SELECT datname FROM pg_database WHERE datname LIKE 'billhook\\_test\\_%'")
  for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`)
  await client.query(`DROP DATABASE IF EXISTS ${templateName} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${templateName}`)
  await client.end()
  await migrate(url)
}

async function migrate(url: string): Promise<void> {
  const target = new URL(url)
  target.pathname = `/${templateName}`
  const client = new pg.Client({ connectionString: target.href })
  await client.connect()
  const folder = path.resolve('prisma/migrations')
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of names.sort((a, b) => a.name.localeCompare(b.name))) {
    await client.query(readFileSync(path.join(folder, name, 'migration.sql'), 'utf8'))
  }
  await client.query('CREATE TABLE _prisma_migrations (migration_name text, finished_at timestamptz)')
  for (const { name } of names) await client.query('INSERT INTO _prisma_migrations VALUES ($1, now())', [name])
  await client.end()
}
