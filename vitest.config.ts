import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Examples use the sources of the SDK, so their tests need no build. */
const sdk = path.resolve(import.meta.dirname, 'packages/sdk/src')
const alias = [
  { find: /^@billhook\/sdk$/, replacement: `${sdk}/index.ts` },
  { find: /^@billhook\/sdk\/(.*)$/, replacement: `${sdk}/$1.ts` },
  { find: /^@(?=\/)/, replacement: path.resolve(import.meta.dirname) },
]

/** How long a test waits for a condition, with reserve for a busy machine. */
const expect = { poll: { timeout: 30_000 } }

const tests = ['lib', 'app', 'components', 'scripts', 'packages', 'examples']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules/'))
const databaseTests = tests.filter((file) => file.endsWith('.db.test.ts'))
const unitTests = tests.filter((file) => !file.endsWith('.db.test.ts'))

/**
 * Each of these files runs in a separate process. The other files share the modules of their worker, including compiled
 * queries, which saves a third of the time. Changes of database tests to their process are undone before the next file
 * (`lib/testing/own-database.ts`), except replaced modules and values created once from the configuration.
 */
const runsAlone = (file: string) =>
  /\bvi\.(?:do)?[mM]ock\(|testing\/inngest-server\.ts'/.test(readFileSync(file, 'utf8')) ||
  (!file.endsWith('.db.test.ts') &&
    /process\.env\.\w+ = |Object\.assign\(config\(\)|\bvi\.spyOn\(config\b/.test(readFileSync(file, 'utf8')))
const sharing = (files: string[]) => ({ include: files.filter((file) => !runsAlone(file)), isolate: false })
const alone = (files: string[]) => ({ include: files.filter(runsAlone), isolate: true })

const pure = (name: string, files: { include: string[]; isolate: boolean }) => ({
  resolve: { alias },
  test: {
    name,
    setupFiles: ['lib/testing/property-seed.ts'],
    maxWorkers: 2,
    expect,
    hookTimeout: 60_000,
    testTimeout: 60_000, // no time is measured; this only ends a test that hangs
    env: { TZ: 'America/St_Johns' },
    ...files,
  },
})

const onDatabase = (name: string, files: { include: string[]; isolate: boolean }) => ({
  resolve: { alias },
  test: {
    name,
    globalSetup: ['lib/testing/template-database.ts'],
    setupFiles: ['lib/testing/property-seed.ts', 'lib/testing/own-database.ts'],
    maxWorkers: 3,
    expect,
    testTimeout: 600_000, // as above; the longest take a minute on two idle cores
    hookTimeout: 600_000,
    env: { TZ: 'America/St_Johns', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    ...files,
  },
})

/** `unit` is pure and fast. `db` runs against PostgreSQL, with a fresh clone of a template database per test file. */
export default defineConfig({
  test: {
    // Transformed modules are cached between runs: with a few test files, the transformation takes most of the time.
    experimental: { fsModuleCache: true },
    projects: [
      pure('unit', sharing(unitTests)),
      pure('unit-alone', alone(unitTests)),
      onDatabase('db', sharing(databaseTests)),
      onDatabase('db-alone', alone(databaseTests)),
    ],
  },
})
