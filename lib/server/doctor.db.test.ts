import { afterAll, beforeAll, expect, it } from 'vitest'
import { resetConnection } from '../providers/mollie/client.ts'
import { configure } from '../testing/configure.ts'
import { aMailServer } from '../testing/mail-server.ts'
import { anOperator } from '../testing/operator.ts'
import { startMollie } from '../testing/stand-ins/mollie.ts'
import { doctor } from './doctor.ts'

let mollie: Awaited<ReturnType<typeof startMollie>>
let mail: Awaited<ReturnType<typeof aMailServer>>
beforeAll(async () => {
  mollie = await startMollie()
  mail = await aMailServer()
})
afterAll(() => Promise.all([mollie.close(), mail.close()]))

const stateOf = async (check: string) => (await doctor()).find((each) => each.check === check)
const servers = () => ({
  MOLLIE_API_KEY: mollie.apiKey,
  MOLLIE_API_BASE: mollie.url,
  SMTP_URL: mail.url,
  MAIL_FROM: 'a@example.com',
})

it('asks what is configured', async () => {
  configure(servers())
  const taken = mail.connections
  expect(await stateOf('payments')).toMatchObject({ state: 'look', message: expect.stringContaining(mollie.url) })
  expect(await stateOf('mail')).toMatchObject({ state: 'ok' })
  expect(mail.connections).toBeGreaterThan(taken)
  expect(mail.taken).toEqual([])
  expect(await stateOf('clock')).toMatchObject({ state: 'ok' })
})

it('says what does not answer, or refuses', async () => {
  configure({ ...servers(), MOLLIE_API_KEY: 'live_somebodyelsesomebodyelse' })
  expect(await stateOf('payments')).toMatchObject({ state: 'missing', message: expect.stringContaining('401') })
  resetConnection()
  await mail.close()
  configure(servers())
  expect(await stateOf('mail')).toMatchObject({ state: 'missing' })
  mail = await aMailServer()
})

it('counts staff with a second factor only', async () => {
  expect(await stateOf('staff')).toMatchObject({ state: 'missing' })
  await anOperator('ada@example.com')
  expect(await stateOf('staff')).toMatchObject({ state: 'ok' })
})
