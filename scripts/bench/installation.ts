import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A service of its own with a new database, as `npm start` starts it. */
export interface Installation {
  readonly baseUrl: string
  /** Of the demo storefront's test mode. */
  readonly key: string
  readonly databaseUrl: string
}

/** Something that has to be ended. */
export interface Started {
  stop(): Promise<void>
}

const root = path.resolve(import.meta.dirname, '../..')

/**
 * @param keep is given each thing as it is there, to be ended in the opposite order; nothing is left then
 * @param environment beside what the service needs; of the caller's variables none counts
 * @param nodeOptions for the service's process
 */
export async function install(
  keep: (started: Started) => void,
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[],
): Promise<Installation> {
  const { freePort, startEmbedded } = await import(path.join(root, 'scripts/embedded-postgres.mjs'))
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-bench-'))
  const postgres = path.join(folder, 'postgres')
  keep({ stop: async () => remove(folder, postgres) })
  // Under root the database's user has to come through.
  chmodSync(folder, 0o711)
  const settings = { track_commit_timestamp: 'on' }
  const database = await startEmbedded({ directory: postgres, purpose: 'bench', settings })
  keep(database)
  const port = String(await freePort())
  const data = path.join(folder, 'data')
  const variables = { DATABASE_URL: database.url, PORT: port, BILLHOOK_DATA: data, ...environment }
  await startService(keep, variables, nodeOptions)
  const { testKey } = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'))
  return { baseUrl: `http://localhost:${port}`, key: testKey, databaseUrl: database.url }
}

async function startService(
  keep: (started: Started) => void,
  environment: Record<string, string>,
  nodeOptions: readonly string[],
): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const service = spawn(process.execPath, [...nodeOptions, path.join(root, 'scripts/start.mjs')], {
    cwd: root,
    // As if npm had started it: it ends when we do, however we end.
    env: { PATH, HOME, NODE_ENV: 'development', npm_lifecycle_event: 'bench', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => service.once('exit', () => resolve()))
  keep({
    stop: async () => {
      service.kill()
      await ended
    },
  })
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (text) => String(text).includes(' is ready at ') && resolve())
    ended.then(() => reject(new Error('The service did not start; its reason is above.')))
  })
}

/** Where the folder is out of its user's reach, the database is a link to elsewhere. */
function remove(folder: string, postgres: string): void {
  const folders = existsSync(postgres) ? [realpathSync(postgres), folder] : [folder]
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
