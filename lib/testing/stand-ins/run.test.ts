import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { aReceiver } from '../receiver.ts'
import { startMollie } from './mollie.ts'
import { startStripe } from './stripe.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-stand-in-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'lib/testing/stand-ins/run.ts', ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

const usage = expect.stringMatching(/^usage: npm run stand-in -- NAME .*\n(.*\n)* {2}--file FILE .*\n$/)

it('`stand-in --help` prints the usage', () => {
  expect(run('--help')).toEqual({ status: 0, stdout: usage, stderr: '' })
})

it.each([
  ['an unknown option', ['mollie', '--folder', 'x']],
  ['an unknown stand-in', ['mail']],
  ['a port that is not a number', ['mollie', '--port', 'any']],
  ['a port above 65535', ['mollie', '--port', '70000']],
])('`stand-in` with %s prints the usage without a stack trace, and exits with 2', (_, args) => {
  expect(run(...args)).toEqual({ status: 2, stdout: '', stderr: usage })
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
    expect(run(name, '--port', String(port))).toEqual({
      status: 1,
      stdout: '',
      stderr: `The port ${port} cannot be used (EADDRINUSE). Choose another port with --port.\n`,
    })
    await close()
  },
)
