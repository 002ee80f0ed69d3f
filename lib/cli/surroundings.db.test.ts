import { afterEach, expect, it } from 'vitest'
import { config } from '../platform/config.ts'
import { closeDatabase } from '../platform/db/db.ts'
import { resetConnection } from '../providers/mollie/client.ts'
import { cli, isPrevented } from '../testing/command-line.ts'
import { configure } from '../testing/configure.ts'
import { queried } from '../testing/installations.ts'
import { aShop } from '../testing/shop.ts'
import { startMollie } from '../testing/stand-ins/mollie.ts'

const database = new URL(config().databaseUrl).pathname.slice(1)
const setReadOnly = async (isReadOnly: boolean) => {
  const state = isReadOnly ? 'on' : 'off'
  const server = process.env.TEST_DATABASE_URL ?? ''
  await queried(server, `ALTER DATABASE "${database}" SET default_transaction_read_only = ${state}`)
  await closeDatabase()
}
afterEach(() => setReadOnly(false))

it.each(['reconciliation run', `restore compare --since ${new Date().toISOString()}`])(
  'while Mollie does not respond, `%s` says so in one sentence and exits with code 2',
  async (line) => {
    const mollie = await startMollie()
    await mollie.close()
    configure({ MOLLIE_API_KEY: mollie.apiKey, MOLLIE_API_BASE: mollie.url })
    resetConnection()
    const failure = async (call: string) => {
      const { status, stdout, stderr } = await cli(call)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      return stderr.trimEnd().split('\n').at(-1) ?? ''
    }
    const message = 'Mollie does not answer (ECONNREFUSED). Run the command again later.'
    expect(await failure(line)).toBe(message)
    expect(JSON.parse(await failure(`${line} --json`))).toEqual({ code: 'unavailable', message })
  },
)

it('while the database is read-only, `key create` says so in one sentence and exits with code 2', async () => {
  const { storefrontId } = await aShop()
  await setReadOnly(true)
  expect((await isPrevented(`key create --storefront ${storefrontId} --mode test`)).message).toBe(
    'The database is read-only: turn default_transaction_read_only off.',
  )
})
