import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'

const MIGRATE = `
  const { migrate } = await import(${JSON.stringify(path.resolve('scripts/migrate.mjs'))})
  await migrate(process.argv[1])
`
const url = Object.assign(new URL(process.env.DATABASE_URL ?? ''), {
  pathname: `/migrate_${randomBytes(4).toString('hex')}`,
}).href
const args = ['--input-type=module', '-e', MIGRATE, url]
const migrate = () => spawnSync(process.execPath, args, { encoding: 'utf8' })
const migrateBeside = () => new Promise((resolve) => spawn(process.execPath, args).once('close', resolve))

async function ask(sql: string, on = url): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: on })
  await client.connect()
  const results = [await client.query({ text: sql, rowMode: 'array' })].flat()
  await client.end()
  return results.at(-1)?.rows.flat() ?? []
}

afterAll(() => ask(`DROP DATABASE "${new URL(url).pathname.slice(1)}" WITH (FORCE)`, process.env.DATABASE_URL))

const unfinished = 'SELECT count(*)::int FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL'

it('the first migration creates the database and its tables, and a second migration changes nothing', async () => {
  expect(migrate()).toMatchObject({ status: 0, stderr: expect.stringContaining('Migrating the database: done') })
  expect(await ask(unfinished)).toEqual([0])
  expect(await ask(`SELECT to_regclass('orders') IS NOT NULL`)).toEqual([true])
  expect(migrate()).toMatchObject({ status: 0, stderr: '' })
})

const emptied = `DROP SCHEMA public CASCADE; CREATE SCHEMA public;
  CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0);`

it('a migration runs even if a killed process left an unfinished record, and has no time limit even if the database user has timeouts as defaults', async () => {
  const [first] = readdirSync('prisma/migrations').sort()
  await ask(`${emptied} INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'x', '${first}')`)
  const limit = (change: string) =>
    ask(`ALTER ROLE CURRENT_USER IN DATABASE "${new URL(url).pathname.slice(1)}" ${change}`, process.env.DATABASE_URL)
  await limit("SET statement_timeout = '1ms'")
  expect(migrate()).toMatchObject({ status: 0 })
  await limit('RESET statement_timeout')
  expect(await ask(unfinished)).toEqual([0])
  expect(await ask(`SELECT to_regclass('orders') IS NOT NULL`)).toEqual([true])
})

it('a migration has no effect if its record cannot be written, and runs at the next start', async () => {
  const [, second] = readdirSync('prisma/migrations').sort()
  await ask(`${emptied} CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$;
    CREATE TRIGGER die BEFORE INSERT ON _prisma_migrations FOR EACH ROW WHEN (NEW.migration_name = '${second}') EXECUTE FUNCTION die()`)
  const columns = `SELECT count(*)::int FROM information_schema.columns WHERE table_schema = 'public'`
  const reason = `The migration ${second} failed and changed nothing: killed.`
  expect(migrate()).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) })
  const before = await ask(columns)
  expect(migrate()).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) })
  expect(await ask(columns)).toEqual(before)
  expect(await ask('SELECT count(*)::int FROM _prisma_migrations')).toEqual([1])
  await ask('DROP TRIGGER die ON _prisma_migrations')
  expect(migrate()).toMatchObject({ status: 0 })
  expect(await ask(columns)).not.toEqual(before)
})

it('the Prisma command line recognizes all migrations that `npm run migrate` applied', async () => {
  const { prisma } = await import('./install.mjs')
  expect(await prisma(['migrate', 'status'], { DATABASE_URL: url })).toContain('Database schema is up to date')
})

it('`npm start` refuses a database that a newer version has migrated, and does not change it', async () => {
  await ask(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('9', 'x', '99991231000000_later', now())`,
  )
  expect(migrate()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('belongs to a newer version of Billhook (migration 99991231000000_later)'),
  })
  await ask(`DELETE FROM _prisma_migrations WHERE id = '9'`)
  expect(migrate()).toMatchObject({ status: 0, stderr: '' })
})

it('concurrent processes run each migration exactly once', async () => {
  await ask(emptied)
  expect(await Promise.all([migrateBeside(), migrateBeside(), migrateBeside()])).toEqual([0, 0, 0])
  expect(await ask('SELECT count(*) = count(DISTINCT migration_name) FROM _prisma_migrations')).toEqual([true])
})
