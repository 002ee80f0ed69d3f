import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { filesOf } from './scripts/test-files.mjs'

const sdk = path.resolve(import.meta.dirname, 'packages/sdk/src')
const alias = [
  { find: /^@billhook\/sdk$/, replacement: `${sdk}/index.ts` },
  { find: /^@billhook\/sdk\/(.*)$/, replacement: `${sdk}/$1.ts` },
  { find: /^@(?=\/)/, replacement: path.resolve(import.meta.dirname) },
]

/** Milliseconds of `expect.poll`. The timeout is long enough for a busy machine. */
const expect = { poll: { timeout: 30_000, interval: 20 } }

/**
 * Whether a test file runs in its own process. This is true for a file that replaces modules, or that starts its own
 * PostgreSQL or Inngest server. It is also true for a unit test file that changes the configuration. All other files
 * share the modules of their worker, which saves a third of the time. Before each file of database tests,
 * `lib/testing/own-database.ts` undoes the changes of the previous file.
 */
const runsAlone = (file: string) =>
  /\bvi\.(?:do)?[mM]ock\(|testing\/inngest-server\.ts'|embedded-postgres\.mjs'/.test(readFileSync(file, 'utf8')) ||
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
    // These timeouts end only a test that hangs. Some tests install packages, which takes minutes on a busy machine.
    hookTimeout: 600_000,
    testTimeout: 600_000,
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
    maxWorkers: 4,
    expect,
    testTimeout: 600_000, // ends only a test that hangs; the longest tests take a minute on two idle cores
    hookTimeout: 600_000,
    env: { TZ: 'America/St_Johns', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    ...files,
  },
})

/** Database tests run against PostgreSQL. Each file gets a fresh clone of a template database. */
export default defineConfig({
  test: {
    // Stores transformed modules on disk. Otherwise, a run of a few test files would spend most of its time on
    // transformations.
    experimental: { fsModuleCache: true },
    projects: [
      pure('unit', sharing(filesOf('unit'))),
      pure('unit-alone', alone(filesOf('unit'))),
      onDatabase('db', sharing(filesOf('db'))),
      onDatabase('db-alone', alone(filesOf('db'))),
    ],
  },
})
