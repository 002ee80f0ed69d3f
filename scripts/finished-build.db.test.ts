import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundlePrograms } from './build.mjs'
import { freePort } from './embedded-postgres.mjs'

/** The database of this test file has an incomplete record of migrations, so the worker gets a new database. */
const database = `image_${randomBytes(4).toString('hex')}`
const databaseUrl = Object.assign(new URL(process.env.DATABASE_URL ?? ''), { pathname: `/${database}` }).href

/** The files of a container image, with the packages of this clone. */
const image = mkdtempSync(path.join(os.tmpdir(), 'billhook-image-'))

const production = {
  BILLHOOK_ENV: 'production',
  PUBLIC_BASE_URL: 'https://pay.example.com',
  SELLER_NAME: 'Real Seller B.V.',
  SELLER_STREET: 'Keizersgracht 1',
  SELLER_POSTAL_CODE: '1015 CN',
  SELLER_CITY: 'Amsterdam',
  SELLER_VAT_ID: 'NL000099998B57',
  SECRET_KEY: process.env.SECRET_KEY ?? 'a secret key for a test, 32 characters',
}
const environment = (more: Record<string, string>) =>
  ({ PATH: process.env.PATH ?? '', ...production, ...more }) as unknown as NodeJS.ProcessEnv

beforeAll(async () => {
  for (const name of readdirSync('scripts').filter((each) => each.endsWith('.mjs')))
    cpSync(path.join('scripts', name), path.join(image, 'scripts', name))
  for (const name of ['requirements.mjs', 'session-settings.mjs'])
    cpSync(`lib/platform/db/${name}`, path.join(image, `lib/platform/db/${name}`))
  cpSync('prisma/migrations', path.join(image, 'prisma/migrations'), { recursive: true })
  cpSync('package.json', path.join(image, 'package.json'))
  symlinkSync(path.resolve('node_modules'), path.join(image, 'node_modules'))
  const programs = path.relative(image, await bundlePrograms())
  writeFileSync(path.join(image, 'finished-build.json'), JSON.stringify({ programs }))
})
afterAll(async () => {
  rmSync(image, { recursive: true })
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  await client.end()
})

const filesOfImage = (folder = image): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOfImage(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
  )

it.each([
  ['scripts/start.mjs web', 1],
  ['scripts/start.mjs worker', 1],
  ['scripts/start.mjs all', 1],
  ['scripts/cli.mjs invariants', 2],
  ['scripts/migrate-database.mjs', 1],
])('without DATABASE_URL, %s fails with one sentence and exits with code %i', (command, exitCode) => {
  const options = { cwd: image, env: environment({}), encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(process.execPath, command.split(' '), options)
  expect({ status, stderr }).toEqual({
    status: exitCode,
    stderr: expect.stringMatching(/^DATABASE_URL must be set: .*\.\n$/),
  })
})

it('a worker in the image serves /readyz, passes the health check, and writes no file', async () => {
  const before = filesOfImage()
  const PORT = String(await freePort())
  const env = environment({
    PORT,
    LISTEN_ADDRESS: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    WEB_PROCESSES: '1',
    LOG_LEVEL: 'silent',
  })
  const probe = () => spawnSync(process.execPath, ['scripts/probe.mjs'], { cwd: image, env }).status
  expect(probe()).toBe(1)
  const worker = spawn(process.execPath, ['scripts/start.mjs', 'worker'], { cwd: image, env })
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  let said = ''
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (text) => {
      said += text
    })
  await expect.poll(() => said).toContain('Billhook runs tasks')
  expect(await (await fetch(`http://127.0.0.1:${PORT}/readyz`)).json()).toMatchObject({ ready: true })
  expect(probe()).toBe(0)
  worker.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(filesOfImage()).toEqual(before)
  expect(said).not.toMatch(/npm ci|Building the pages|Generating/)
})
