import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { median } from './figures.ts'

/** This file measures the duration of `npm start` after a build, and of one command of the command line. */

export interface Starts {
  /** Seconds until the service reports that it is ready, on the same embedded database. */
  readonly start: readonly number[]
  /** Seconds of `cli registration list` while the service runs. */
  readonly command: readonly number[]
  readonly commandByNpm: readonly number[]
}

const root = path.resolve(import.meta.dirname, '../..')

export async function measureStarts(rounds: number, say: (sentence: string) => void): Promise<Starts> {
  const { freePort } = await import(path.join(root, 'scripts/embedded-postgres.mjs'))
  const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-bench-'))
  const environment = { BILLHOOK_DATA: data, PORT: String(await freePort()) }
  const starts: Starts & { [Key in keyof Starts]: number[] } = { start: [], command: [], commandByNpm: [] }
  try {
    for (let round = -1; round < rounds; round++) {
      say(round < 0 ? 'Building' : `Starting, round ${round + 1} of ${rounds}`)
      const service = begin('npm', ['start'], environment, / is ready at /)
      const seconds = await service.ready
      if (round >= 0) {
        starts.start.push(seconds)
        starts.command.push(await command(process.execPath, ['scripts/cli.mjs', ...list], environment))
        starts.commandByNpm.push(await command('npm', ['run', '--silent', 'cli', '--', ...list], environment))
      }
      await service.end()
    }
    return starts
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

const list = ['registration', 'list', '--json']

async function command(program: string, args: string[], environment: Record<string, string>): Promise<number> {
  const running = begin(program, args, environment, null)
  return running.ready
}

/** `ready` resolves with the seconds until the output matches `says`, or until the program succeeds. */
function begin(program: string, args: string[], environment: Record<string, string>, says: RegExp | null) {
  const { PATH = '', HOME = '' } = process.env
  const began = performance.now()
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: 'development', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = new Promise<number>((resolve, reject) => {
    const now = () => resolve((performance.now() - began) / 1000)
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
      if (says?.test(output)) now()
    })
    ended.then((code) => (code === 0 ? now() : reject(new Error(`${program} ${args.join(' ')} ended with ${code}`))))
  })
  return {
    ready,
    async end() {
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

export const startsTable = ({ start, command, commandByNpm }: Starts): string => {
  const row = (name: string, seconds: readonly number[], target: string) =>
    `| ${name} | ${median(seconds).toFixed(2)} | ${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)} | ${target} |`
  return [
    '| | seconds, median | lowest to highest | target |',
    '|---|--:|--:|--:|',
    row('`npm start`, all built, until it is ready', start, '1.0'),
    row('`node scripts/cli.mjs registration list`', command, '0.25'),
    row('the same as `npm run cli --`', commandByNpm, ''),
  ].join('\n')
}
