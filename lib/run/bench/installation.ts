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
  /** Stops everything; nothing is left of it. */
  stop(): Promise<void>
}

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * @param environment beside what the service needs; of the caller's variables none counts
 * @param serverOptions of Node, for the service's process
 */
export async function install(
  environment: Readonly<Record<string, string>>,
  serverOptions: readonly string[],
): Promise<Installation> {
  const { freePort, startEmbedded } = await import(path.join(root, 'lib/run/embedded-postgres.mjs'))
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-bench-'))
  // Under root the database's user has to come through.
  chmodSync(folder, 0o711)
  const postgres = path.join(folder, 'postgres')
  const started: (() => unknown)[] = [() => remove(folder, postgres)]
  const stop = async () => {
    for (let end = started.pop(); end; end = started.pop()) await end()
  }
  try {
    const settings = { track_commit_timestamp: 'on' }
    const database = await startEmbedded({ directory: postgres, purpose: 'bench', settings })
    started.push(database.stop)
    const port = String(await freePort())
    const service = await startService(
      { DATABASE_URL: database.url, PORT: port, BILLHOOK_DATA: path.join(folder, 'data'), ...environment },
      serverOptions,
    )
    started.push(service.stop)
    const { testKey } = JSON.parse(readFileSync(path.join(folder, 'data/demo.json'), 'utf8'))
    return { baseUrl: `http://localhost:${port}`, key: testKey, databaseUrl: database.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startService(environment: Record<string, string>, options: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env
  const service = spawn(process.execPath, [...options, path.join(root, 'lib/run/start.mjs')], {
    cwd: root,
    // As if npm had started it: it ends when we do, however we end.
    env: { PATH, HOME, NODE_ENV: 'development', npm_lifecycle_event: 'bench', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => service.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (text) => String(text).includes(' is ready at ') && resolve())
    ended.then(() => reject(new Error('The service did not start; its reason is above.')))
  })
  return {
    stop: async () => {
      service.kill()
      await ended
    },
  }
}

/** Where the folder is out of its user's reach, the database is a link to elsewhere. */
function remove(folder: string, postgres: string): void {
  const folders = existsSync(postgres) ? [realpathSync(postgres), folder] : [folder]
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
