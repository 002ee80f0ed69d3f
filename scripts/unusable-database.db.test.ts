import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'

const server = new URL(process.env.TEST_DATABASE_URL ?? '')
const made: string[] = []
const role = `migrate_${randomBytes(4).toString('hex')}`

async function run(on: URL, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: on.href })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const at = (name: string, user?: string) => {
  const address = Object.assign(new URL(server), { pathname: `/${name}` })
  return user ? Object.assign(address, { username: user, password: 'hunter2' }) : address
}

async function aDatabase(options: string, ...statements: string[]): Promise<string> {
  const name = `migrate_${randomBytes(4).toString('hex')}`
  await run(server, `CREATE DATABASE ${name} ${options}`)
  made.push(name)
  await run(at(name), ...statements.map((statement) => statement.replace('NAME', name)))
  return name
}

afterAll(async () => {
  await run(server, ...made.map((name) => `DROP DATABASE ${name} WITH (FORCE)`), `DROP ROLE IF EXISTS ${role}`)
})

const script = `
  const { migrate } = await import(${JSON.stringify(path.resolve('scripts/migrate.mjs'))})
  const { command } = await import(${JSON.stringify(path.resolve('scripts/user-facing-error.mjs'))})
  command(() => migrate(process.argv[1]))
`

function migrationOf(address: URL) {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, address.href], {
    encoding: 'utf8',
  })
  expect(stderr).not.toContain('hunter2')
  return { status, stderr }
}

const oneSentence = (sentence: RegExp) => ({
  status: 1,
  stderr: expect.stringMatching(new RegExp(`^${sentence.source}\n$`)),
})

it('npm start refuses a database with an encoding other than UTF8', async () => {
  const name = await aDatabase(`ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
  expect(migrationOf(at(name))).toEqual(
    oneSentence(/The database \w+ at [\d.:]+ cannot be used\. The database has the encoding LATIN1: .*/),
  )
})

it('npm start refuses a read-only database', async () => {
  const name = await aDatabase('', 'ALTER DATABASE NAME SET default_transaction_read_only = on')
  expect(migrationOf(at(name))).toEqual(oneSentence(/The database .* cannot be used\. The database is read-only: .*/))
})

it('npm start refuses a database that contains tables of another program', async () => {
  const name = await aDatabase('', 'CREATE TABLE books (id text)')
  expect(migrationOf(at(name))).toEqual(
    oneSentence(/The database .* has the table books of another program; use an empty database\./),
  )
})

it('npm start refuses a database user who cannot create tables and extensions, own the tables, or change their rows', async () => {
  const asUser = `CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`
  const closed = await aDatabase('', asUser, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC')
  expect(migrationOf(at(closed, role))).toEqual(oneSentence(/The user \w+ cannot create tables in the database .*/))

  const withoutExtension = await aDatabase('', `GRANT CREATE ON SCHEMA public TO ${role}`)
  expect(migrationOf(at(withoutExtension, role))).toEqual(
    oneSentence(/The user \w+ cannot create the extension btree_gist in the database .*/),
  )

  const half = await aDatabase('', `GRANT CREATE ON SCHEMA public TO ${role}`, 'CREATE EXTENSION btree_gist')
  expect(migrationOf(at(half, role))).toEqual(
    oneSentence(/The user \w+ cannot create the extension pg_trgm in the database .*/),
  )

  const foreign = await aDatabase(
    '',
    `GRANT CREATE ON DATABASE NAME TO ${role}`,
    `GRANT CREATE ON SCHEMA public TO ${role}`,
    'CREATE TABLE orders (id text)',
    `GRANT SELECT, INSERT, UPDATE, DELETE ON orders TO ${role}`,
  )
  expect(migrationOf(at(foreign, role))).toEqual(oneSentence(/The user \w+ does not own the table orders in .*/))

  const unreadable = await aDatabase('', 'CREATE TABLE orders (id text)', `GRANT SELECT ON orders TO ${role}`)
  expect(migrationOf(at(unreadable, role))).toEqual(
    oneSentence(
      /The database .* cannot be used\. The user of the database may not read and change the table orders: .*/,
    ),
  )
})
