import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Installation {
  readonly baseUrl: string
  readonly key: string
  readonly databaseUrl: string
  readonly data: string
  readonly postgres: string
  readonly service: Service
}

export interface Started {
  stop(): Promise<void>
}

export interface Service extends Started {
  readonly pid: number
  /** Ends the process by SIGKILL, as a machine failure would. */
  kill(): Promise<void>
}

export type Role = 'all' | 'web' | 'worker'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * @param keep registers a started program; programs are stopped in reverse order at the end
 * @param environment further variables of the service; the service inherits only PATH and HOME from this process
 * @param nodeOptions options of Node.js for the service process
 */
export async function install(
  keep: (started: Started) => void,
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[],
  databaseSettings: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const { freePort, startEmbedded } = await import(path.join(root, 'scripts/embedded-postgres.mjs'))
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-bench-'))
  const postgres = path.join(folder, 'postgres')
  keep({ stop: async () => remove(folder, postgres) })
  // If this process runs as root, the database user must still be able to enter the folder.
  chmodSync(folder, 0o711)
  const settings = { track_commit_timestamp: 'on', ...databaseSettings }
  const database = await startEmbedded({ directory: postgres, purpose: 'bench', settings })
  keep(database)
  const port = String(await freePort())
  const data = path.join(folder, 'data')
  const variables = { DATABASE_URL: database.url, PORT: port, BILLHOOK_DATA: data, ...environment }
  const service = await startService(keep, variables, nodeOptions)
  const { testKey } = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'))
  return { baseUrl: `http://localhost:${port}`, key: testKey, databaseUrl: database.url, data, postgres, service }
}

export async function startAnother(
  keep: (started: Started) => void,
  { databaseUrl, data }: Pick<Installation, 'databaseUrl' | 'data'>,
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  role: Role = 'all',
): Promise<{ readonly baseUrl: string } & Service> {
  const { freePort } = await import(path.join(root, 'scripts/embedded-postgres.mjs'))
  const port = String(await freePort())
  const own = mkdtempSync(path.join(os.tmpdir(), 'billhook-bench-'))
  keep({ stop: async () => rmSync(own, { recursive: true, force: true }) })
  const secret = readFileSync(path.join(data, 'secret-key'), 'utf8').trim()
  const variables = { DATABASE_URL: databaseUrl, SECRET_KEY: secret, PORT: port, BILLHOOK_DATA: own, ...environment }
  const service = await startService(keep, variables, nodeOptions, role)
  return { baseUrl: `http://localhost:${port}`, ...service }
}

async function startService(
  keep: (started: Started) => void,
  environment: Record<string, string>,
  nodeOptions: readonly string[],
  role: Role = 'all',
): Promise<Service> {
  const { PATH = '', HOME = '' } = process.env
  const service = spawn(process.execPath, [...nodeOptions, path.join(root, 'scripts/start.mjs'), role], {
    cwd: root,
    // With `npm_lifecycle_event`, the service behaves as if npm had started it: the service ends when its parent, which is this process, ends.
    env: { PATH, HOME, NODE_ENV: 'development', npm_lifecycle_event: 'bench', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => service.once('exit', () => resolve()))
  const end = async (signal: NodeJS.Signals) => {
    service.kill(signal)
    await ended
  }
  if (service.pid === undefined) throw new Error('The service could not be started.')
  const started = { pid: service.pid, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
  keep(started)
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (text) => / is ready at | runs tasks/.test(String(text)) && resolve())
    ended.then(() => reject(new Error('The service did not start; the reason is above.')))
  })
  return started
}

/** The database folder is a symbolic link if the database user cannot access the data folder. */
function remove(folder: string, postgres: string): void {
  const folders = existsSync(postgres) ? [realpathSync(postgres), folder] : [folder]
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
