import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { config } from '../platform/config.ts'
import { closeDatabase } from '../platform/db/db.ts'
import { resetConnection } from '../providers/mollie/client.ts'
import { requireUsableDatabase } from '../server/usable-database.ts'
import { cli, isPrevented } from '../testing/command-line.ts'
import { configure } from '../testing/configure.ts'
import { queried } from '../testing/installations.ts'
import { listenOn } from '../testing/listen-on.ts'
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

const message = (type: string, body: string) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

/** A pooler that opens every session without startup options, and refuses every session with startup options, as PgBouncer does. */
async function aPooler() {
  const server = createServer((socket) =>
    socket.once('data', (startup) => {
      if (startup.includes('options')) {
        socket.end(message('E', 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0'))
      } else socket.write(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]))
    }),
  )
  await listenOn(server, 0)
  const { port } = server.address() as { port: number }
  return { url: `postgresql://billhook@127.0.0.1:${port}/billhook`, close: () => server.close() }
}

const refusesOptions =
  'The address in DATABASE_URL belongs to a pooler, which refuses startup options. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'

it.each([
  ['scripts/cli.mjs', 2],
  ['scripts/migrate-database.mjs', 1],
])(
  'behind a pooler without DATABASE_DIRECT_URL, %s names the variable and prints no stack trace',
  async (script, exitCode) => {
    const pooler = await aPooler()
    const env = { ...process.env, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: '' }
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [script, 'doctor'], { env }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      )
    })
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: `${refusesOptions}\n` })
    pooler.close()
  },
)

it('behind a pooler without DATABASE_DIRECT_URL, a starting process names the variable', async () => {
  const pooler = await aPooler()
  onTestFinished(async () => {
    await closeDatabase()
    pooler.close()
    configure({ DATABASE_URL: address })
  })
  const address = config().databaseUrl
  await closeDatabase()
  configure({ DATABASE_URL: pooler.url })
  await expect(requireUsableDatabase()).rejects.toMatchObject({ name: 'UserFacingError', message: refusesOptions })
})
