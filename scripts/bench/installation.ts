import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A separate service with a new database, started like `npm start`. */
export interface Installation {
  readonly baseUrl: string
  /** The API key of the demo storefront's test mode. */
  readonly key: string
  readonly databaseUrl: string
  /** The folder of its other files. */
  readonly data: string
  /** The data directory of its PostgreSQL. */
  readonly postgres: string
  readonly service: Service
}

export interface Started {
  stop(): Promise<void>
}

export interface Service extends Started {
  readonly pid: number
  /** Ends the process by SIGKILL, like a failure of its machine. */
  kill(): Promise<void>
}

/** The work of a service process; see `scripts/start.mjs`. */
export type Role = 'all' | 'web' | 'worker'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * @param keep receives each started program, to be stopped in reverse order; nothing is left afterwards
 * @param environment variables in addition to those that the service needs; the caller's variables are not passed on
 * @param nodeOptions for the service's process
 * @param databaseSettings of the server, in addition to its own
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
  // Under root, the database's user must be able to enter.
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

/** Starts a further service on the same database, with its own environment. */
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
    // Looks as if npm had started it, so that it ends when this process ends for any reason.
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
    ended.then(() => reject(new Error('The service did not start; its reason is above.')))
  })
  return started
}

/** If the user has no access to the folder, the database is a link to another folder. */
function remove(folder: string, postgres: string): void {
  const folders = existsSync(postgres) ? [realpathSync(postgres), folder] : [folder]
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
