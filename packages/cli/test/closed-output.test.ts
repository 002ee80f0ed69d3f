import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { EventService } from './service.ts'

const program = path.resolve(import.meta.dirname, '../bin/billhook.js')
const home = mkdtempSync(path.join(os.tmpdir(), 'billhook-closed-'))
let service: EventService

beforeEach(async () => {
  service = new EventService()
  await service.start()
})
afterEach(() => service.stop())
afterAll(() => rmSync(home, { recursive: true }))

/** Runs `billhook` in a shell. `script` redirects the output of the command `"$@"`. */
async function piped(script: string, line: string, onOutput: () => unknown = () => undefined) {
  const shell = spawn(
    'bash',
    ['--norc', '-c', `set -o pipefail; ${script}`, 'bash', process.execPath, program, ...line.split(' ')],
    {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        HOME: home,
        BILLHOOK_URL: service.url,
        BILLHOOK_KEY: service.key,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    shell[stream].on('data', (text) => {
      written[stream] += text
      onOutput()
    })
  const status = await new Promise((resolve) => shell.once('close', resolve))
  return { status, ...written }
}

it.each(['help', 'status --json'])('`billhook %s | true` exits with 0 without an error', async (line) => {
  expect(await piped('"$@" | true', line)).toEqual({ status: 0, stdout: '', stderr: '' })
})

it('`billhook listen | head -1` ends with 0 at the next event', async () => {
  let added = 0
  const read = await piped('"$@" | head -1', 'listen --json', () => setTimeout(() => service.add(++added), 500))
  expect(read).toMatchObject({ status: 0, stdout: expect.stringContaining('"type":"ready"'), stderr: '' })
  expect(added).toBe(1)
})

it('`billhook frob 2>&1 | true` exits with 2, as without a pipe', async () => {
  expect(await piped('"$@" 2>&1 | true', 'frob')).toEqual({ status: 2, stdout: '', stderr: '' })
})

it.runIf(process.platform === 'linux')(
  'billhook exits with 1 if its output cannot be written to a full disk',
  async () => {
    expect(await piped('"$@" > /dev/full', 'help')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The output cannot be written: .*ENOSPC.*\.\n$/),
    })
  },
)
