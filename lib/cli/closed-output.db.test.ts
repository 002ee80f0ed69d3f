import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import { proveSecretKey } from '../server/secret-key.ts'
import { send } from '../testing/api.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop } from '../testing/shop.ts'

const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-closed-'))
afterAll(() => rmSync(data, { recursive: true }))

/** Runs a shell script whose arguments `"$@"` are the command line. The script redirects the output of the command line. */
function piped(script: string, line: string, variables: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, 'scripts/cli.mjs', ...line.split(' ')]
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `set -o pipefail; ${script}`, 'bash', ...command],
    {
      encoding: 'utf8',
      env: { ...process.env, BILLHOOK_DATA: data, ...variables },
    },
  )
  return { status, stdout, stderr }
}
/**
 * The program `true` closes the pipe before the command line writes. With `pipefail`, the exit code is still the exit
 * code of the command line.
 */
const toClosedPipe = '"$@" | true'

it('if the reader of standard output closes early, a command still does its work and exits with 0', async () => {
  expect(piped(toClosedPipe, 'merchant create --name Unread')).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await db().merchants.count({ where: { name: 'Unread' } })).toBe(1)
})

it('if the reader of standard output closes early, a failed check still exits with 1', () => {
  expect(piped(toClosedPipe, 'doctor', { BILLHOOK_ENV: 'production' })).toEqual({ status: 1, stdout: '', stderr: '' })
})

it('if the reader of standard error closes early, a command still runs to its end', async () => {
  await proveSecretKey()
  const receiver = await aReceiver()
  const { testKey } = await aShop()
  const body = { url: receiver.url, secret: 'whsec_of_the_endpoint_0123456789' }
  expect((await send('POST /v1/webhook-endpoints', { key: testKey, body })).status).toBe(201)
  await receiver.close()
  const closed = piped('{ "$@" 2>&1 >&3 | true; } 3>&1', 'secret-key renew')
  expect(closed).toEqual({ status: 0, stdout: expect.stringContaining('No value needs'), stderr: '' })
})

it.runIf(process.platform === 'linux')('a command whose output cannot be written to a full disk exits with 1', () => {
  expect(piped('"$@" > /dev/full', 'storefront list')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The output cannot be written: .*ENOSPC.*\.\n$/),
  })
})
