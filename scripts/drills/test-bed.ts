import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Installation,
  install,
  type Role,
  type Service,
  type Started,
  startAnother,
} from '../bench/installation.ts'

export interface TestBed {
  readonly installation: Installation
  readonly origins: string[]
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Signals the postmaster and all its child processes. */
  signalPostgres(signal: NodeJS.Signals): void
  postgresRuns(): boolean
  restartPostgres(): Promise<void>
  /** Resolves when the process answers requests or, for a worker, runs tasks. */
  start(options?: { role?: Role; nodeOptions?: readonly string[] }): Promise<{ baseUrl: string } & Service>
  keep(started: Started): void
}

const root = path.resolve(import.meta.dirname, '../..')
/** All drills run without a rate limit and with local webhook receivers. */
const environment = { RATE_LIMIT_TEST: '0', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', LOG_LEVEL: 'fatal' }

const started: Started[] = []

export async function inTestBed<Result>(
  work: (place: TestBed) => Promise<Result>,
  nodeOptions: readonly string[] = [],
): Promise<Result> {
  const keep = (each: Started) => void started.push(each)
  try {
    return await work(placeOf(await install(keep, environment, nodeOptions), keep))
  } finally {
    await leave()
  }
}

export async function leave(): Promise<void> {
  for (let last = started.pop(); last; last = started.pop()) await last.stop()
}

function placeOf(installation: Installation, keep: (started: Started) => void): TestBed {
  const { databaseUrl, postgres } = installation
  const origins = [installation.baseUrl]
  const postmaster = () => Number(readFileSync(path.join(postgres, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  return {
    installation,
    origins,
    keep,
    async query(text, values) {
      const client = new pg.Client({ connectionString: databaseUrl })
      client.on('error', () => undefined) // Ignores the error, because the running query fails with it too.
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
    signalPostgres(signal) {
      const server = postmaster()
      for (const pid of [server, ...childrenOf(server)]) signalIfThere(pid, signal)
    },
    postgresRuns: () => existsSync(path.join(postgres, 'postmaster.pid')),
    async restartPostgres() {
      const { DirectoryInUse, startEmbedded } = await import(path.join(root, 'scripts/embedded-postgres.mjs'))
      const settings = { track_commit_timestamp: 'on', port: new URL(databaseUrl).port }
      for (;;) {
        try {
          return keep(await startEmbedded({ directory: postgres, purpose: 'drill', settings }))
        } catch (error) {
          // Repeats the start while it fails with `DirectoryInUse`, because the guard process has not yet noticed the
          // end of the killed server.
          if (!(error instanceof DirectoryInUse)) throw error
          await sleep(20)
        }
      }
    },
    async start({ role = 'all', nodeOptions = [] } = {}) {
      const service = await startAnother(keep, installation, environment, nodeOptions, role)
      if (role !== 'worker') origins.push(service.baseUrl)
      return service
    },
  }
}

export async function brokenInvariants(installation: Installation): Promise<Map<string, number>> {
  const text = await commandLine(installation, ['invariants'])
  const findings: { invariant: string; name: string; count: number }[] = JSON.parse(text)
  const broken = findings.filter(({ count }) => count > 0)
  return new Map(broken.map(({ invariant, name, count }) => [`${invariant} ${name}`, count]))
}

export async function commandLine({ databaseUrl, data }: Installation, args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const secret = readFileSync(path.join(data, 'secret-key'), 'utf8').trim()
  const development = { NODE_ENV: 'development' as const, WEBHOOK_ALLOWED_HOSTS: environment.WEBHOOK_ALLOWED_HOSTS }
  const env = { PATH, HOME, ...development, DATABASE_URL: databaseUrl, SECRET_KEY: secret, BILLHOOK_DATA: data }
  const child = spawn(process.execPath, [path.join(root, 'scripts/cli.mjs'), ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const part of child.stdout) text += part
  return text
}

function childrenOf(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows.map((row) => row.trim().split(/\s+/).map(Number)).flatMap(([pid = 0, of]) => (of === parent ? [pid] : []))
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // ESRCH: the process has ended
  }
}
