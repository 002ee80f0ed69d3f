import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** A project whose migrations contain checks, functions, comments, and semicolons, like our migrations. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-engine-'))
const migration = (name: string) => path.join(folder, 'prisma/migrations', name, 'migration.sql')

const SCHEMA = `
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

function prisma(cwd: string, args: string[], databaseUrl = process.env.DATABASE_URL) {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('scripts/schema-engine.mjs'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    NO_COLOR: '1',
  }
  const program = path.resolve('node_modules/prisma/build/index.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', env })
  return { status, output: stdout + stderr }
}

const between = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma']
const compare = (cwd: string, ...more: string[]) => prisma(cwd, ['migrate', 'diff', ...between, '--exit-code', ...more])

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

describe('the schema engine', () => {
  it('the schema engine writes a schema change as SQL', () => {
    writeFileSync(path.join(folder, 'prisma/schema.prisma'), SCHEMA.replace('name String', 'name String\n  size Int?'))
    expect(compare(folder, '--script')).toEqual({
      status: 2,
      output: expect.stringContaining('ALTER TABLE "items" ADD COLUMN     "size" INTEGER;'),
    })
  })

  it('the schema engine reports a refused migration and an unreachable server', () => {
    mkdirSync(path.dirname(migration('2_wrong')))
    writeFileSync(migration('2_wrong'), 'ALTER TABLE "nothing" ADD COLUMN "x" INT;')
    expect(compare(folder)).toEqual({ status: 1, output: expect.stringContaining('No such table: nothing') })
    expect(prisma(folder, ['migrate', 'status'], 'postgresql://nobody:nothing@127.0.0.1:1/none')).toEqual({
      status: 1,
      output: expect.stringContaining('P1001'),
    })
  })

  it('the schema of this project equals the result of its migrations', () => {
    expect(compare(process.cwd())).toEqual({ status: 0, output: expect.stringContaining('No difference detected') })
  })
})
