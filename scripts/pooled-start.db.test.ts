import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Pooler, startPooler } from '../lib/testing/pooler.ts'
import { freePort } from './embedded-postgres.mjs'

const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-pooled-'))
let direct: string
let pooler: Pooler
let environment: NodeJS.ProcessEnv

const asked = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

beforeEach(async () => {
  const name = `pooled_${randomBytes(4).toString('hex')}`
  direct = Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ''), { pathname: `/${name}` }).href
  // With one connection, every later check sees the connection that the first query opened.
  pooler = await startPooler(direct, 1)
  environment = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    BILLHOOK_DATA: data,
    LOG_LEVEL: 'silent',
    PORT: String(await freePort()),
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: direct,
  }
})
afterEach(async () => {
  await pooler.close()
  const name = new URL(direct).pathname.slice(1)
  await asked(process.env.TEST_DATABASE_URL ?? '', `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
  rmSync(data, { recursive: true, force: true })
})

/** Starts a worker, and stops it when it runs tasks. */
async function startAndStop() {
  const worker = spawn(process.execPath, ['scripts/start.mjs', 'worker'], { env: environment })
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    worker[stream].on('data', (text) => {
      written[stream] += text
      if (written.stdout.includes('Billhook runs tasks')) worker.kill('SIGTERM')
    })
  const status = await new Promise((resolve) => worker.once('close', resolve))
  return { status, ...written }
}

const started = { status: 0, stdout: expect.stringContaining('Billhook runs tasks') }

it('behind a pooler without open connections, the first start on an empty server succeeds', async () => {
  expect(await startAndStop()).toMatchObject(started)
  expect(pooler.transactions()).toBeGreaterThan(0)
})

it('`npm run migrate` stores the connection settings for a pooler, and the next start behind the pooler succeeds', async () => {
  const migration = spawnSync(process.execPath, ['scripts/migrate-database.mjs'], {
    env: environment,
    encoding: 'utf8',
  })
  expect(migration).toMatchObject({ status: 0, stdout: 'The database has all migrations.\n' })
  expect(pooler.transactions()).toBe(0)
  const settings = `SELECT current_setting('timezone') AS zone, current_setting('statement_timeout') AS statement`
  expect(await asked(pooler.url, settings)).toEqual([{ zone: 'UTC', statement: '30s' }])
  expect(await startAndStop()).toMatchObject(started)
})

it('a start is refused if the pooler opened a connection before the connection settings were stored', async () => {
  await asked(
    Object.assign(new URL(direct), { pathname: '/postgres' }).href,
    `CREATE DATABASE "${new URL(direct).pathname.slice(1)}"`,
  )
  await asked(pooler.url, 'SELECT 1')
  const sentence = /The pooler has connections without these settings: .*\. RECONNECT the pooler, .*\.\n$/
  expect(await startAndStop()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(sentence) })
})
