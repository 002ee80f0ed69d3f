import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'

const HOLDER = `
  const { startEmbedded } = await import(${JSON.stringify(path.resolve('scripts/embedded-postgres.mjs'))})
  const server = await startEmbedded({ directory: process.argv[1], purpose: 'a test' }).catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
  console.log(server.url)
  setInterval(() => {}, 1000)
`

// This folder has mode 0700, so the database user cannot enter the folder if root runs this test.
const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-embedded-'))
const directory = path.join(folder, 'postgres')
const holders = new Set<ChildProcess>()

function launch(on = directory): {
  holder: ChildProcess
  url: Promise<string>
  error: Promise<string>
  ended: Promise<number | null>
} {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, on])
  holders.add(holder)
  const first = (stream: NodeJS.ReadableStream | null) =>
    new Promise<string>((resolve) => stream?.once('data', (text) => resolve(String(text).trim())))
  return {
    holder,
    url: first(holder.stdout),
    error: first(holder.stderr),
    ended: new Promise((resolve) => holder.once('exit', resolve)),
  }
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}

async function stop({ holder, ended }: ReturnType<typeof launch>): Promise<void> {
  holder.kill('SIGTERM')
  expect(await ended).toBe(0)
}

const pidFile = () => path.join(directory, 'postmaster.pid')
const serverPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0])
const processes = () =>
  spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }))
/**
 * Returns the pids of the guard processes of a server. The server's parent is last, because the process that holds the
 * lock reacts when the parent ends.
 */
function guardsOf(server: number): number[] {
  const all = processes()
  const guard = all.find(({ pid }) => pid === server)?.parent ?? 0
  return [...all.filter(({ pid, parent }) => parent === guard && pid !== server).map(({ pid }) => pid), guard]
}
const killHard = (...pids: (number | undefined)[]) => spawnSync('kill', ['-KILL', ...pids.map(String)])

afterEach(() => {
  for (const holder of holders) holder.kill('SIGKILL')
  holders.clear()
})

afterAll(() => {
  if (existsSync(directory)) rmSync(realpathSync(directory), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

describe('the embedded PostgreSQL', () => {
  it('the embedded PostgreSQL has checksums, durable commits, a password, and no remote access', async () => {
    const running = launch()
    const url = await running.url
    for (const [setting, value] of [
      ['data_checksums', 'on'],
      ['fsync', 'on'],
      ['synchronous_commit', 'on'],
      ['listen_addresses', '127.0.0.1'],
      ['shared_buffers', '128MB'],
      ['max_connections', '100'],
      ['server_encoding', 'UTF8'],
      ['TimeZone', 'UTC'],
    ]) {
      expect([setting, await ask(url, `SHOW ${setting}`)]).toEqual([setting, value])
    }
    expect(await ask(url, `SELECT lower('ÄÉ')`)).toBe('äé')
    const { username, port } = new URL(url)
    await expect(ask(`postgresql://${username}:wrong@127.0.0.1:${port}/billhook`, 'SELECT 1')).rejects.toThrow(
      /password/,
    )
    await ask(url, 'CREATE TABLE kept AS SELECT 1 AS number')
    await stop(running)
    expect(existsSync(pidFile())).toBe(false)
  })

  it('the embedded PostgreSQL ends when its owner process is killed, and keeps committed data', async () => {
    const running = launch()
    await ask(await running.url, 'UPDATE kept SET number = 2')
    const pid = serverPid()
    running.holder.kill('SIGKILL')
    await running.ended
    await expect.poll(() => existsSync(pidFile())).toBe(false)
    const next = launch()
    expect(await ask(await next.url, 'SELECT number FROM kept')).toBe(2)
    expect(serverPid()).not.toBe(pid)
    await stop(next)
  })

  it('the embedded PostgreSQL starts again immediately after a kill, while the old server shuts down', async () => {
    const running = launch()
    await running.url
    running.holder.kill('SIGKILL')
    await running.ended
    const next = launch()
    expect(await ask(await next.url, 'SELECT number FROM kept')).toBe(2)
    await stop(next)
  })

  it('a new start of the embedded PostgreSQL ends a server whose owner process has died', async () => {
    const running = launch()
    const url = await running.url
    const orphan = serverPid()
    killHard(...guardsOf(orphan))
    running.holder.kill('SIGKILL')
    await running.ended
    expect(await ask(url, 'SELECT number FROM kept')).toBe(2)
    const next = launch()
    expect(await ask(await next.url, 'SELECT number FROM kept')).toBe(2)
    await expect(ask(url, 'SELECT 1')).rejects.toThrow()
    await stop(next)
  })

  it('the embedded PostgreSQL recovers after all its processes were killed', async () => {
    const running = launch()
    await ask(await running.url, 'UPDATE kept SET number = 3')
    const pid = serverPid()
    killHard(...guardsOf(pid), pid, running.holder.pid)
    await running.ended
    const next = launch()
    expect(await ask(await next.url, 'SELECT number FROM kept')).toBe(3)
    await stop(next)
  })

  it('a new start of the embedded PostgreSQL does not end another process that has the pid of the old server', async () => {
    const running = launch()
    await running.url
    const pid = serverPid()
    killHard(...guardsOf(pid), pid, running.holder.pid)
    await running.ended
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    holders.add(bystander)
    writeFileSync(pidFile(), readFileSync(pidFile(), 'utf8').replace(/^\d+/, String(bystander.pid)))
    const next = launch()
    expect(await ask(await next.url, 'SELECT number FROM kept')).toBe(3)
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
    await stop(next)
  })

  it('a second process cannot start the embedded PostgreSQL, and the error states the pid of the owner', async () => {
    const running = launch()
    await running.url
    const copied = path.join(folder, 'copied')
    symlinkSync(realpathSync(directory), copied)
    const byLink = launch(copied)
    expect(await byLink.ended).toBe(1)
    const second = launch()
    expect(await second.error).toBe(`The embedded database is in use by process ${running.holder.pid}.`)
    expect(await second.ended).toBe(1)
    expect(await ask(await running.url, 'SELECT number FROM kept')).toBe(3)
    await stop(running)
  })

  it('an interrupted creation of the data directory is repeated, and other files are never overwritten', async () => {
    const data = realpathSync(directory)
    rmSync(directory, { recursive: true })
    rmSync(data, { recursive: true, force: true })
    mkdirSync(`${directory}.draft`)
    writeFileSync(path.join(`${directory}.draft`, 'PG_VERSION'), '18\n')
    const running = launch()
    expect(await ask(await running.url, 'SELECT 1')).toBe(1)
    await stop(running)

    const other = path.join(folder, 'other')
    mkdirSync(other)
    writeFileSync(path.join(other, 'letter.txt'), 'mine')
    const refused = spawnSync(process.execPath, ['--input-type=module', '-e', HOLDER, other], { encoding: 'utf8' })
    expect(refused.stderr).toContain('is not a PostgreSQL database')
    expect(readFileSync(path.join(other, 'letter.txt'), 'utf8')).toBe('mine')
  })
})
