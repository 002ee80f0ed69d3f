import path from 'node:path'
import { defineConfig } from 'vitest/config'

const alias = { '@': path.resolve(import.meta.dirname) }

/** What comes by itself is waited for; no less on a busy machine. */
const expect = { poll: { timeout: 30_000 } }

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
      {
        resolve: { alias },
        test: {
          name: 'db',
          include: ['{lib,app,scripts}/**/*.db.test.ts'],
          globalSetup: ['lib/testing/template-database.ts'],
          setupFiles: ['lib/testing/property-seed.ts', 'lib/testing/own-database.ts'],
          maxWorkers: 2,
          expect,
          testTimeout: 600_000, // As above; the longest take a minute on two quiet cores.
          hookTimeout: 600_000,
          env: { TZ: 'America/St_Johns', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
        },
      },
    ],
  },
})
