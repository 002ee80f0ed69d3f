import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../lib/platform/config.ts'

/** This test needs its own copy of the scripts, because they look for `.env` in the folder of their installation. */
const installation = mkdtempSync(path.join(os.tmpdir(), 'billhook-installation-'))
for (const name of readdirSync('scripts').filter((each) => each.endsWith('.mjs')))
  cpSync(path.join('scripts', name), path.join(installation, 'scripts', name))
for (const name of ['requirements.mjs', 'session-settings.mjs'])
  cpSync(`lib/platform/db/${name}`, path.join(installation, `lib/platform/db/${name}`))
symlinkSync(path.resolve('node_modules'), path.join(installation, 'node_modules'))
afterAll(() => rmSync(installation, { recursive: true }))

const FIND = `
  const { findDatabase } = await import('./scripts/find-database.mjs')
  await findDatabase()
  process.stdout.write(process.env.DATABASE_URL)
`

it('a command uses the database in `.env`, as `npm start` does', () => {
  const { DATABASE_URL = '', BILLHOOK_DATA, ...environment } = process.env
  writeFileSync(path.join(installation, '.env'), `DATABASE_URL=${DATABASE_URL}\n`)
  const options = { cwd: installation, env: environment, encoding: 'utf8' } as const
  const found = spawnSync(process.execPath, ['--input-type=module', '-e', FIND], options)
  expect(found).toMatchObject({ status: 0, stdout: DATABASE_URL })
})

it('if a line of `.env.example` is activated, the comment at its end does not become part of the value', () => {
  const used = parseEnv(readFileSync('.env.example', 'utf8').replaceAll(/^# (?=[A-Z_]+=)/gm, ''))
  expect(used.SECRET_KEY).toBe('')
  const environment = { BILLHOOK_ENV: 'production', DATABASE_URL: 'postgresql://x', SECRET_KEY: used.SECRET_KEY }
  expect(() => readConfig(environment)).toThrow(/^SECRET_KEY must be set/m)
})
