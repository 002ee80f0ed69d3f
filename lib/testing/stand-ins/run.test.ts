import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { aReceiver } from '../receiver.ts'
import { startMollie } from './mollie.ts'
import { standIn } from './program.ts'
import { startStripe } from './stripe.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-stand-in-'))
afterAll(() => rmSync(folder, { recursive: true }))

const usage = expect.stringMatching(/^usage: npm run stand-in -- NAME .*\n(.*\n)* {2}--file FILE .*\n$/)

it('`stand-in --help` prints the usage', async () => {
  expect(await standIn(['--help'])).toEqual({ code: 0, out: usage, error: '' })
})

it('the program `stand-in` prints the texts to both streams, and ends with the exit code', () => {
  const run = (...args: string[]) => {
    const program = ['--import', 'tsx', 'lib/testing/stand-ins/run.ts', ...args]
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  expect(run('--help')).toEqual({ status: 0, stdout: usage, stderr: '' })
  expect(run('mail')).toEqual({ status: 2, stdout: '', stderr: usage })
})

it.each([
  ['an unknown option', ['mollie', '--folder', 'x']],
  ['an unknown stand-in', ['mail']],
  ['a port that is not a number', ['mollie', '--port', 'any']],
  ['a port above 65535', ['mollie', '--port', '70000']],
])('`stand-in` with %s prints the usage without a stack trace, and exits with 2', async (_, args) => {
  expect(await standIn(args)).toEqual({ code: 2, out: '', error: usage })
})

it.each([
  ['Mollie', startMollie, '/v2/payments'],
  ['Stripe', startStripe, '/v1/customers'],
])('the stand-in of %s creates the missing folder of its data file', async (name, start, list) => {
  const file = path.join(folder, name, 'state', 'payments.json')
  const standIn = await start({ file })
  await fetch(`${standIn.url}${list}`, { headers: { authorization: `Bearer ${standIn.apiKey}` } })
  await standIn.close()
  expect(existsSync(file)).toBe(true)
})

it.each(['mollie', 'stripe', 'hmrc', 'inngest', 'vies'])(
  'the stand-in %s listens on the port of --port, and prints one sentence if the port is in use',
  async (name) => {
    const { port, close } = await aReceiver()
    expect(await standIn([name, '--port', String(port)])).toEqual({
      code: 1,
      out: '',
      error: `The port ${port} cannot be used (EADDRINUSE). Choose another port with --port.\n`,
    })
    await close()
  },
)
