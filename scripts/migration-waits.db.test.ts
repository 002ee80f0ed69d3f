import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

const installation = mkdtempSync(path.join(os.tmpdir(), 'billhook-waits-'))
const place = (...names: string[]) => path.join(installation, ...names)
const database = `waits_${randomBytes(4).toString('hex')}`
const url = Object.assign(new URL(process.env.DATABASE_URL ?? ''), { pathname: `/${database}` }).href

const MIGRATE = `
  const { migrate } = await import('./scripts/migrate.mjs')
  await migrate(process.argv[1])
`

function write(name: string, sql: string) {
  mkdirSync(place('prisma/migrations', name), { recursive: true })
  writeFileSync(place('prisma/migrations', name, 'migration.sql'), sql)
}

function migrate() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MIGRATE, url], { cwd: installation })
  const running = { said: '', status: undefined as number | null | undefined }
  child.stderr.on('data', (text) => {
    running.said += text
  })
  child.once('close', (status) => {
    running.status = status
  })
  return running
}

async function connect(on = url) {
  const client = new pg.Client({ connectionString: on })
  await client.connect()
  return client
}

beforeAll(() => {
  for (const name of readdirSync('scripts').filter((each) => each.endsWith('.mjs')))
    cpSync(path.join('scripts', name), place('scripts', name))
  for (const name of ['requirements.mjs', 'session-settings.mjs'])
    cpSync(`lib/platform/db/${name}`, place(`lib/platform/db/${name}`))
  symlinkSync(path.resolve('node_modules'), place('node_modules'))
  cpSync('prisma.config.ts', place('prisma.config.ts'))
  mkdirSync(place('prisma'))
  writeFileSync(place('prisma/schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n')
  write('1_first', 'CREATE TABLE items (id integer PRIMARY KEY);')
})

afterAll(async () => {
  rmSync(installation, { recursive: true })
  const client = await connect(process.env.DATABASE_URL)
  await client.query(`DROP DATABASE "${database}" WITH (FORCE)`)
  await client.end()
})

const within = { timeout: 60_000, interval: 100 }

it('a migration that waits for a lock lets other queries pass, reports the blocker, and finishes later', async () => {
  const first = migrate()
  await expect.poll(() => first.status, within).toBe(0)
  write('2_second', 'CREATE TABLE others (id integer); ALTER TABLE items ADD COLUMN name text;')
  const [backup, reader] = await Promise.all([connect(), connect()])
  await backup.query(`SET application_name = 'backup'; BEGIN; SELECT * FROM items`)
  const second = migrate()
  await expect.poll(() => second.said, within).toMatch(/waits for the table items\. .* \(backup\) has held a lock for/)
  // The report proves that the migration waits for the backup. During this wait, a new query of the table must succeed.
  await reader.query(`SET statement_timeout = '10s'`)
  expect((await reader.query('SELECT count(*)::int AS items FROM items')).rows).toEqual([{ items: 0 }])
  expect(second.status).toBeUndefined()
  await backup.query('COMMIT')
  await expect.poll(() => second.status, within).toBe(0)
  await reader.query('SELECT name FROM items, others')
  const { rows } = await reader.query(
    'SELECT count(*)::int AS finished FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  )
  expect(rows).toEqual([{ finished: 2 }])
  await Promise.all([backup.end(), reader.end()])
})
