import { afterAll, beforeAll, expect, it } from 'vitest'
import { addRegistration } from '../modules/tax/operations.ts'
import { config } from '../platform/config.ts'
import { closeDatabase } from '../platform/db/db.ts'
import { resetConnection } from '../providers/mollie/client.ts'
import { answer } from '../testing/command-line.ts'
import { configure } from '../testing/configure.ts'
import { aMailServer } from '../testing/mail-server.ts'
import { anOperator } from '../testing/operator.ts'
import { startMollie } from '../testing/stand-ins/mollie.ts'
import { startStripe } from '../testing/stand-ins/stripe.ts'
import { doctor } from './doctor.ts'
import { readiness } from './readiness.ts'

let mollie: Awaited<ReturnType<typeof startMollie>>
let mailServer: Awaited<ReturnType<typeof aMailServer>>
beforeAll(async () => {
  mollie = await startMollie()
  mailServer = await aMailServer()
})
afterAll(() => Promise.all([mollie.close(), mailServer.close()]))

const stateOf = async (check: string) => (await doctor()).find((each) => each.check === check)
const servers = () => ({
  MOLLIE_API_KEY: mollie.apiKey,
  MOLLIE_API_BASE: mollie.url,
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'a@example.com',
})

it('doctor checks the configured payment provider and mail server, and sends no email', async () => {
  configure(servers())
  const taken = mailServer.connections
  expect(await stateOf('payments')).toMatchObject({ state: 'look', message: expect.stringContaining(mollie.url) })
  expect(await stateOf('mail')).toMatchObject({ state: 'ok' })
  expect(mailServer.connections).toBeGreaterThan(taken)
  expect(mailServer.taken).toEqual([])
  expect(await stateOf('clock')).toMatchObject({ state: 'ok' })
})

it('doctor names the stand-ins of two payment providers, and the stand-in that does not respond', async () => {
  const stripe = await startStripe()
  const both = { ...servers(), STRIPE_API_KEY: stripe.apiKey, STRIPE_API_BASE: stripe.url }
  configure(both)
  const { message } = (await stateOf('payments')) ?? {}
  expect(message).toContain(`MOLLIE_API_BASE=${mollie.url}, STRIPE_API_BASE=${stripe.url}.`)
  await stripe.close()
  expect(await stateOf('payments')).toMatchObject({
    state: 'missing',
    message: expect.stringContaining(`Stripe at ${stripe.url}: `),
  })
  configure({ STRIPE_API_KEY: '', STRIPE_API_BASE: '' })
})

it('doctor reports a payment provider that refuses the API key and a mail server that does not respond', async () => {
  configure({ ...servers(), MOLLIE_API_KEY: 'live_somebodyelsesomebodyelse' })
  expect(await stateOf('payments')).toMatchObject({ state: 'missing', message: expect.stringContaining('401') })
  resetConnection()
  await mailServer.close()
  configure(servers())
  expect(await stateOf('mail')).toEqual({
    check: 'mail',
    state: 'missing',
    message: 'The mail server 127.0.0.1 cannot be used: it refuses the connection.',
  })
  mailServer = await aMailServer()
})

it('doctor reports no problem to /readyz, because the settings of doctor can differ from the settings of the service', async () => {
  configure({ ...servers(), MOLLIE_API_KEY: 'live_somebodyelsesomebodyelse', SMTP_URL: 'smtp://127.0.0.1:1' })
  const payments = await stateOf('payments')
  expect(payments).toMatchObject({ state: 'missing', message: expect.not.stringContaining('MollieAway') })
  expect(await stateOf('mail')).toMatchObject({ state: 'missing' })
  expect((await readiness()).payments).toBe('ok')
  expect((await readiness()).services.mail).toBe('ok')
  resetConnection()
  configure(servers())
})

it('doctor counts staff members only if they have a second factor', async () => {
  expect(await stateOf('staff')).toMatchObject({
    state: 'missing',
    message: expect.stringContaining('Run `operator create`'),
  })
  await anOperator('ada@example.com')
  expect(await stateOf('staff')).toMatchObject({ state: 'ok', message: '1 with a second factor' })
  await answer('operator reset-second-factor --email ada@example.com --json')
  expect(await stateOf('staff')).toMatchObject({
    state: 'missing',
    message: 'No operator has a second factor, so nobody can review plans. Log in at /admin, and set it up.',
  })
})

it('doctor counts tax registrations that have not ended', async () => {
  expect(await stateOf('registrations')).toMatchObject({ state: 'look' })
  const ended = { country: 'GB', number: 'GB123456782', scheme: 'local', from: '2020-01-01', until: '2020-12-31' }
  await addRegistration(ended)
  expect(await stateOf('registrations')).toMatchObject({ state: 'look' })
  await addRegistration({ ...ended, from: '2021-01-01', until: '2999-12-31' })
  expect(await stateOf('registrations')).toMatchObject({ state: 'ok', message: '1 entered' })
})

it('doctor reports a replica that is no standby, lacks a migration, or does not respond', async () => {
  const replica = async (databaseReplicaUrl: string | null | undefined) => {
    await closeDatabase()
    Object.assign(config(), { databaseReplicaUrl })
    return stateOf('replica')
  }
  expect(await replica(process.env.TEST_DATABASE_URL)).toMatchObject({
    message: expect.stringContaining('lacks the migration'),
  })
  expect(await replica(config().databaseUrl)).toMatchObject({
    message: expect.stringContaining('is not a replica'),
  })
  expect(await replica('postgresql://nobody@127.0.0.1:1/none')).toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
  })
  // lib/platform/db/standby.db.test.ts tests a replica that is a standby.
  expect(await replica(null)).toMatchObject({ state: 'ok', message: 'none' })
})

it('doctor states why the URL in PUBLIC_BASE_URL does not respond', async () => {
  configure({ PUBLIC_BASE_URL: 'https://127.0.0.1:2' })
  expect(await stateOf('address')).toMatchObject({ state: 'missing', message: expect.stringContaining('ECONNREFUSED') })
})
