import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const alias = { '@': path.resolve(import.meta.dirname) }

/** What comes by itself is waited for; no less on a busy machine. */
const expect = { poll: { timeout: 30_000 } }

const databaseTests = ['lib', 'app', 'scripts']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
  .filter((file) => file.endsWith('.db.test.ts'))

/** They set variables of the environment, change the configuration or replace modules: each runs in a process of its own. */
const changeTheirProcess = databaseTests.filter((file) =>
  /process\.env\.\w+ = |Object\.assign\((?:process\.env|config\(\))|\bvi\.(?:(?:do)?[mM]ock\(|spyOn\(config\b)/.test(
    readFileSync(file, 'utf8'),
  ),
)

/** The other files share the modules of their worker, and with them the compiled queries: a third of the time less. */
const onDatabase = (name: string, files: { include?: string[]; exclude?: string[]; isolate?: boolean }) => ({
  resolve: { alias },
  test: {
    name,
    include: databaseTests,
    isolate: false,
    globalSetup: ['lib/testing/template-database.ts'],
    setupFiles: ['lib/testing/property-seed.ts', 'lib/testing/own-database.ts'],
    maxWorkers: 2,
    expect,
    testTimeout: 600_000, // As above; the longest take a minute on two quiet cores.
    hookTimeout: 600_000,
    env: { TZ: 'America/St_Johns', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    ...files,
  },
})

/** `unit` is pure and quick; `db` runs against a real PostgreSQL, a fresh clone of a template database per test file. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['{lib,app,components,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts'],
          setupFiles: ['lib/testing/property-seed.ts'],
          maxWorkers: 2,
          expect,
          hookTimeout: 60_000,
          testTimeout: 60_000, // Nothing is measured by it: a busy machine takes longer, and what hangs is found all the same.
          env: { TZ: 'America/St_Johns' },
        },
      },
      onDatabase('db', { exclude: changeTheirProcess }),
      onDatabase('db-alone', { include: changeTheirProcess, isolate: true }),
    ],
  },
})
