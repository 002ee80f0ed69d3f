import { execFile } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Started } from '../installation.ts'
import type { Peer } from './peer.ts'

/** The peers are installed in the user's cache, because they are not our dependencies and because the next run uses the same packages. */
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'billhook-bench')
const startMs = 120_000

export interface StartedPeer {
  readonly origin: string
  readonly version: string
  /** Processor seconds of the peer; null on systems other than Linux. */
  cpuSeconds(): number | null
}

/**
 * Installs the peer and its database, and starts the peer in production mode as one process. Throws an error that names the failed step, with the output of the
 * program.
 */
export async function startPeer(
  keep: <One extends Started>(one: One) => One,
  peer: Peer,
  databaseUrl: string,
  pool: number,
): Promise<StartedPeer & Started> {
  const folder = await installPeer(peer)
  const { freePort } = await import(path.resolve(import.meta.dirname, '../../embedded-postgres.mjs'))
  const port = String(await freePort())
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    NODE_ENV: 'production' as const,
    PORT: port,
    DATABASE_URL: await makeDatabase(databaseUrl, `peer_${peer.name}`),
    DATABASE_POOL: String(pool),
    // Without these variables, the peers send telemetry to their vendors.
    MEDUSA_DISABLE_TELEMETRY: 'true',
    VENDURE_DISABLE_TELEMETRY: 'true',
  }
  for (const args of peer.prepare)
    await run('its tables could not be made', process.execPath, args, { cwd: folder, env })
  const origin = `http://127.0.0.1:${port}`
  const started = keep(await spawnPeer(peer, folder, env))
  await started.answers(`${origin}/health`)
  const manifest = path.join(folder, 'node_modules', peer.pinned, 'package.json')
  return {
    origin,
    version: JSON.parse(readFileSync(manifest, 'utf8')).version,
    stop: started.stop,
    cpuSeconds: started.cpuSeconds,
  }
}

/** Install scripts are off, because they would download from other servers, and no peer needs them. */
async function installPeer({ name }: Peer): Promise<string> {
  const folder = path.join(cache, name)
  mkdirSync(folder, { recursive: true })
  cpSync(path.join(import.meta.dirname, name), folder, { recursive: true })
  // The environment variables of npm would make this npm call work on our project, so they are left out.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !key.startsWith('npm_') || key === 'npm_config_registry'),
  ) as NodeJS.ProcessEnv
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm could not install it', 'npm', args, { cwd: folder, env })
  return folder
}

async function run(
  problem: string,
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  try {
    await promisify(execFile)(program, args, { ...options, maxBuffer: 100 * 1024 * 1024 })
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error(`${problem}\n${endOf(`${stdout}\n${stderr}`) || message}`)
  }
}

async function makeDatabase(databaseUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href
}

/** The peer ends when this process ends. The peer's output goes to a file in the peer's folder. */
async function spawnPeer({ start }: Peer, cwd: string, env: Record<string, string>) {
  const { spawnGuarded } = await import(path.resolve(import.meta.dirname, '../../child-process.mjs'))
  const log = path.join(cwd, 'output.log')
  const output = openSync(log, 'w')
  const { child, end } = spawnGuarded('TERM', process.execPath, start, { cwd, env, output })
  closeSync(output)
  let running = true
  const ended = new Promise<void>((resolve) => child.once('exit', resolve)).then(() => {
    running = false
  })
  return {
    cpuSeconds: () => (process.platform === 'linux' ? cpuOfProgram(child.pid) : null),
    stop: async () => {
      end()
      await ended
    },
    async answers(url: string) {
      for (const late = Date.now() + startMs; running && Date.now() < late; await sleep(100)) {
        const response = await fetch(url).catch(() => null)
        if (response?.ok) return
      }
      throw new Error(`it did not start\n${endOf(readFileSync(log, 'utf8'))}`)
    },
  }
}

/** Reads `utime` and `stime`, the fields 14 and 15, in hundredths of a second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. */
function cpuOfProgram(guard: number): number {
  const children = readFileSync(`/proc/${guard}/task/${guard}/children`, 'utf8').trim().split(' ')
  const program = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(process.execPath))
  const fields = readFileSync(`/proc/${program}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const endOf = (output: string): string => output.trim().slice(-1_500)
