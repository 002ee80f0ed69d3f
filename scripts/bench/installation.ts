import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A separate service with a new database, started as by `npm start`. */
export interface Installation {
  readonly baseUrl: string
  /** The API key of the demo storefront's test mode. */
  readonly key: string
  readonly databaseUrl: string
  /** What it keeps beside the database. */
  readonly data: string
  /** The data directory of its PostgreSQL. */
  readonly postgres: string
  readonly service: Service
}

/** Something that must be stopped. */
export interface Started {
  stop(): Promise<void>
}

/** A service in a process of its own. */
export interface Service extends Started {
  readonly pid: number
  /** Ends the process by SIGKILL, as a machine's failure does. */
  kill(): Promise<void>
}

/** What a process of the service does; see `scripts/start.mjs`. */
export type Role = 'all' | 'web' | 'worker'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * @param keep receives each started thing, to be stopped in reverse order; nothing is left then
 * @param environment variables in addition to those that the service needs; those of the caller are not passed on
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

/** A further service on the same database, with an environment of its own. */
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
    // As if npm had started it, so that it ends when this process ends for any reason.
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

/** If the folder is not accessible to its user, the database is a link to another folder. */
function remove(folder: string, postgres: string): void {
  const folders = existsSync(postgres) ? [realpathSync(postgres), folder] : [folder]
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
