import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongForm } from '../lib/testing/amount.ts'

/** A project whose migrations contain checks, functions, comments, and semicolons, like our migrations. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-engine-'))
const migration = (name: string) => path.join(folder, 'prisma/migrations', name, 'migration.sql')

const SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "./client"
}
datasource db {
  provider = "postgresql"
}
model items {
  id   String @id
  name String
}
`
const FIRST = `
CREATE TABLE "items" ("id" TEXT NOT NULL, "name" TEXT NOT NULL, CONSTRAINT "items_pkey" PRIMARY KEY ("id"));
-- A comment; with a semicolon.
ALTER TABLE "items" ADD CONSTRAINT "items_name" CHECK ("name" <> ';');
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'no; never';
END $$;
CREATE TRIGGER "items_keep" BEFORE DELETE ON "items" FOR EACH ROW EXECUTE FUNCTION refuse();
`

const prisma = (...args: string[]) => prismaOn(process.env.DATABASE_URL ?? '', ...args)

function prismaOn(databaseUrl: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.resolve('node_modules/prisma/build/index.js'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('scripts/schema-engine.mjs'),
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
        NO_COLOR: '1',
      },
    },
  )
  return { status, output: stdout + stderr }
}

beforeAll(() => {
  mkdirSync(path.dirname(migration('1_first')), { recursive: true })
  writeFileSync(migration('1_first'), FIRST)
  writeFileSync(path.join(folder, 'prisma/migrations/migration_lock.toml'), 'provider = "postgresql"\n')
  writeFileSync(path.join(folder, 'prisma/schema.prisma'), SCHEMA)
  writeFileSync(
    path.join(folder, 'prisma.config.mjs'),
    `export default {
      schema: 'prisma/schema.prisma',
      migrations: { path: 'prisma/migrations' },
      datasource: { url: process.env.DATABASE_URL },
    }`,
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

// The database of this test file contains our tables, so this project needs another database.
const fresh = () =>
  Object.assign(new URL(process.env.DATABASE_URL ?? ''), { pathname: `/engine_${path.basename(folder).slice(-6)}` })
    .href
const on = (...args: string[]) => prismaOn(fresh(), ...args)

// Each Prisma process takes a second, so only `npm run test:faults` also compares the schema with the migrations.
const sources = isLongForm
  ? [['--from-config-datasource'], ['--from-migrations', 'prisma/migrations']]
  : [['--from-config-datasource']]

describe('the schema engine', () => {
  it('the schema engine reports its version', () => {
    const { stdout } = spawnSync(path.resolve('scripts/schema-engine.mjs'), ['--version'], { encoding: 'utf8' })
    expect(stdout).toMatch(/^schema-engine-wasm \d+\.\d+\.\d+/)
  })

  it('the schema engine generates the client', () => {
    expect(prisma('generate')).toMatchObject({ status: 0 })
    expect(existsSync(path.join(folder, 'prisma/client/client.ts'))).toBe(true)
  })

  it('the schema engine creates the database, deploys a migration, and then reports no pending migration', () => {
    expect(on('migrate', 'status').status).toBe(1)
    expect(on('migrate', 'deploy')).toMatchObject({ status: 0, output: expect.stringContaining('1_first') })
    expect(on('migrate', 'status')).toMatchObject({ status: 0, output: expect.stringContaining('up to date') })
    expect(on('migrate', 'deploy')).toMatchObject({
      status: 0,
      output: expect.stringContaining('No pending migrations'),
    })
  })

  it('the schema engine finds no difference if the schema, the database, and the migrations are equal', () => {
    for (const from of sources) {
      const { status, output } = on('migrate', 'diff', ...from, '--to-schema', 'prisma/schema.prisma', '--exit-code')
      expect({ from, status, output }).toEqual({
        from,
        status: 0,
        output: expect.stringContaining('No difference detected'),
      })
    }
  })

  it('the schema engine writes a schema change as a migration', () => {
    writeFileSync(path.join(folder, 'prisma/schema.prisma'), SCHEMA.replace('name String', 'name String\n  size Int?'))
    for (const from of sources) {
      const { status, output } = on(
        'migrate',
        'diff',
        ...from,
        '--to-schema',
        'prisma/schema.prisma',
        '--script',
        '--exit-code',
      )
      expect({ from, status, output }).toEqual({
        from,
        status: 2,
        output: expect.stringContaining('ALTER TABLE "items" ADD COLUMN     "size" INTEGER;'),
      })
    }
    expect(on('migrate', 'dev', '--name', 'second')).toMatchObject({ status: 0 })
    expect(readdirSync(path.join(folder, 'prisma/migrations'))).toContainEqual(expect.stringMatching(/^\d{14}_second$/))
  })

  it('the schema engine writes a schema as SQL without a database', () => {
    const { status, output } = prismaOn(
      '',
      'migrate',
      'diff',
      '--from-empty',
      '--to-schema',
      'prisma/schema.prisma',
      '--script',
    )
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('CREATE TABLE "items"') })
  })

  it('the schema engine reports a refused migration and an unreachable server', () => {
    mkdirSync(path.dirname(migration('99999999999999_wrong')))
    writeFileSync(migration('99999999999999_wrong'), 'ALTER TABLE "nothing" ADD COLUMN "x" INT;')
    expect(on('migrate', 'deploy')).toMatchObject({
      status: 1,
      output: expect.stringContaining('No such table: nothing'),
    })
    const { status, output } = prismaOn('postgresql://nobody:nothing@127.0.0.1:1/none', 'migrate', 'deploy')
    expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining('P1001') })
  })

  it('the schema of this project equals the result of its migrations', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'node_modules/prisma/build/index.js',
        'migrate',
        'diff',
        '--from-migrations',
        'prisma/migrations',
        '--to-schema',
        'prisma/schema.prisma',
        '--exit-code',
      ],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('scripts/schema-engine.mjs'),
          CHECKPOINT_DISABLE: '1',
        },
      },
    )
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringContaining('No difference detected'),
    })
  })
})
