import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { resetConnection } from '../providers/mollie/client.ts'
import { aMailServer } from '../testing/mail-server.ts'
import { anOperator } from '../testing/operator.ts'
import { startMollie } from '../testing/stand-ins/mollie.ts'
import { doctor } from './doctor.ts'

const set = vi.hoisted(() => ({ differences: {} as object }))
vi.mock('../platform/config.ts', async (original) => {
  const platform = await original<typeof import('../platform/config.ts')>()
  return { ...platform, config: () => ({ ...platform.config(), ...set.differences }) }
})

let mollie: Awaited<ReturnType<typeof startMollie>>
let mail: Awaited<ReturnType<typeof aMailServer>>
beforeAll(async () => {
  mollie = await startMollie()
  mail = await aMailServer()
})
afterAll(() => Promise.all([mollie.close(), mail.close()]))

const stateOf = async (check: string) => (await doctor()).find((each) => each.check === check)
const servers = () => ({
  mollie: { apiKey: mollie.apiKey, base: mollie.url },
  livePayments: 'mollie',
  mail: {
    server: { host: '127.0.0.1', port: mail.port, secure: false, auth: null },
    from: { name: '', address: 'a@example.com' },
  },
})

it('asks what is configured', async () => {
  set.differences = servers()
  const taken = mail.connections
  expect(await stateOf('payments')).toMatchObject({ state: 'look', message: expect.stringContaining(mollie.url) })
  expect(await stateOf('mail')).toMatchObject({ state: 'ok' })
  expect(mail.connections).toBeGreaterThan(taken)
  expect(mail.taken).toEqual([])
  expect(await stateOf('clock')).toMatchObject({ state: 'ok' })
})

it('says what does not answer, or refuses', async () => {
  set.differences = { ...servers(), mollie: { apiKey: 'live_somebodyelsesomebodyelse', base: mollie.url } }
  expect(await stateOf('payments')).toMatchObject({ state: 'missing', message: expect.stringContaining('401') })
  resetConnection()
  await mail.close()
  set.differences = servers()
  expect(await stateOf('mail')).toMatchObject({ state: 'missing' })
  mail = await aMailServer()
})

it('counts staff with a second factor only', async () => {
  set.differences = {}
  expect(await stateOf('staff')).toMatchObject({ state: 'missing' })
  await anOperator('ada@example.com')
  expect(await stateOf('staff')).toMatchObject({ state: 'ok' })
})
