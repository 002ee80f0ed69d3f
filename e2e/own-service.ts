import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from '@playwright/test'
import pg from 'pg'
import { freePort } from '../scripts/embedded-postgres.mjs'
import { root } from '../scripts/environment.mjs'
import { migrate } from '../scripts/migrate.mjs'

const template = 'migrated'

/** Runs statements on the database server of the tested service, and returns the address of the database with the given name. */
async function onServer(name: string, create: (client: pg.Client, addressOf: (database: string) => string) => unknown) {
  const running = path.join(process.env.BILLHOOK_DATA ?? '.data', 'running.json')
  const { databaseUrl } = JSON.parse(await readFile(running, 'utf8'))
  const addressOf = (database: string) => Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await create(client, addressOf)
  } finally {
    await client.end()
  }
  return addressOf(name)
}

export const anEmptyDatabase = (name: string): Promise<string> =>
  onServer(name, (client) => client.query(`CREATE DATABASE ${name}`))

/** Creates a database with all migrations, and returns its address. */
export function aDatabase(purpose: string): Promise<string> {
  const name = `${purpose}_${process.pid}`
  return onServer(name, async (client, addressOf) => {
    await client.query(`SELECT pg_advisory_lock(hashtext('${template}'))`)
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE making_${name}`)
      await migrate(addressOf(`making_${name}`))
      await client.query(`ALTER DATABASE making_${name} RENAME TO ${template}`)
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  })
}

const running: ChildProcess[] = []
let said = ''

/** Resolves with the base URL when the process is ready. Role `all` creates demo data in an empty database. */
export async function start(role: 'all' | 'web' | 'worker', environment: Record<string, string>): Promise<string> {
  const port = String(await freePort())
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.mjs'), role], {
    env: { ...process.env, ...environment, PORT: port, NODE_ENV: '' } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.on('data', (text) => {
    said += text
    process.stderr.write(text)
  })
  running.push(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => /is ready at|runs tasks/.test(String(text)) && resolve())
    child.once('exit', () => reject(new Error(`the ${role} process did not start`)))
  })
  return `http://localhost:${port}`
}

export async function replaceAll(): Promise<void> {
  said = ''
  for (const child of running) child.kill('SIGHUP')
  await expect.poll(() => said, { timeout: 120_000 }).toContain('All processes were replaced.')
}

export async function priorities(): Promise<number[]> {
  const children = running.map(({ pid }) => readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  const pids = (await Promise.all(children)).flatMap((each) => each.split(' ').filter(Boolean).map(Number))
  return pids.map((pid) => os.getPriority(pid)).sort((a, b) => a - b)
}

export async function stopAll(): Promise<unknown[]> {
  const ends = running.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running.splice(0)) child.kill('SIGTERM')
  return Promise.all(ends)
}

export function killAll(): void {
  for (const child of running.splice(0)) child.kill('SIGKILL')
}
