import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { bundlePrograms } from '../../scripts/build.mjs'
import { freePort } from '../../scripts/embedded-postgres.mjs'

/** A second process on the database of the test, started like `npm start -- worker`. */
export interface ServiceProcess {
  readyz(): Promise<{ status: number; body: Record<string, unknown> }>
  metrics(): Promise<string>
  kill(): Promise<void>
  stop(): Promise<void>
}

let programs: Promise<string> | undefined

const root = path.resolve(import.meta.dirname, '../..')

/** Starts a worker. Its environment is the environment of this process, with `variables` added. Resolves when the worker responds. */
export async function startWorkerProcess(variables: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  programs ??= bundlePrograms()
  const folder = await programs
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(root, 'scripts/one-process.mjs'), folder], {
    cwd: root,
    env: { ...process.env, ...variables, PORT: String(port), BILLHOOK_PART: 'worker' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await isReady(child)
  const get = (address: string) => fetch(`http://127.0.0.1:${port}/${address}`)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return {
    async readyz() {
      const response = await get('readyz')
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    metrics: async () => (await get('metrics')).text(),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

const isReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on('message', (message) => message === 'ready' && resolve())
    child.once('close', (code) => reject(new Error(`a process of the service ended with ${code}`)))
  })
