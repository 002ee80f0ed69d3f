import { afterAll, beforeAll, expect, it } from 'vitest'
import { reachMailServer } from '../modules/emails/smtp.ts'
import { config } from '../platform/config.ts'
import { serviceProblems } from '../platform/outbound/service-problems.ts'
import { connectedProviders } from '../providers/index.ts'
import { configure } from '../testing/configure.ts'
import { aMailServer } from '../testing/mail-server.ts'
import { type ServiceProcess, startWorkerProcess } from '../testing/service-process.ts'
import { type LiveProvider, liveMollie } from '../testing/stand-ins/live-provider.ts'
import { readiness } from './readiness.ts'

let mollie: LiveProvider
let mailServer: Awaited<ReturnType<typeof aMailServer>>
let workers: ServiceProcess[]

beforeAll(async () => {
  mollie = await liveMollie()
  mailServer = await aMailServer()
  configure({
    MOLLIE_API_KEY: mollie.account.apiKey,
    MOLLIE_API_BASE: mollie.account.base,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'a@example.com',
  })
  const limits = { WEB_PROCESSES: '8', MAX_CONNECTIONS_PER_ADDRESS: '40' }
  workers = await Promise.all([startWorkerProcess(limits), startWorkerProcess(limits)])
  serviceProblems().start()
})
afterAll(async () => {
  await Promise.all([serviceProblems().stop(), ...workers.map((worker) => worker.stop())])
  await Promise.all([mollie.close(), mailServer.close()])
})

const askMollie = async () => {
  const [provider] = await connectedProviders()
  for await (const _ of provider?.recentChargebacks?.() ?? []) return
}
const askMailServer = async () => config().mail && reachMailServer(config().mail as never)

const everywhere = async () => {
  const ofWorkers = await Promise.all(workers.map(async (worker) => (await worker.readyz()).body))
  return [await readiness(), ...ofWorkers].map(({ status, payments, services }) => ({ status, payments, services }))
}
const up = async (service: string) =>
  Promise.all(
    workers.map(
      async (worker) => (await worker.metrics()).match(`billhook_service_up{service="${service}"} (\\d)`)?.[1],
    ),
  )
const well = { status: 'ok', payments: 'ok', services: { mail: 'ok', vies: 'ok', rates: expect.any(String) } }

it('all processes report the failures and the recoveries of a payment provider and the mail server', async () => {
  await expect.poll(everywhere).toEqual([well, well, well])
  const { url } = mailServer
  configure({ SMTP_URL: 'smtp://127.0.0.1:1' })
  await expect(askMailServer()).rejects.toThrow('ESOCKET')
  const outcome = async () => {
    mollie.failNext(503, { method: 'GET' })
    return askMollie().then(() => 'answered', String)
  }
  await expect.poll(outcome).toContain('503')
  const failing = {
    status: 'degraded',
    payments: expect.stringMatching(/^answers 503 since 20/),
    services: { mail: expect.stringMatching(/^refuses the connection since 20/) },
  }
  await expect.poll(everywhere).toMatchObject([failing, failing, failing])
  const [first, ...others] = await everywhere()
  expect(others).toEqual([first, first])
  await expect.poll(() => up('payments')).toEqual(['0', '0'])
  await expect.poll(() => up('mail')).toEqual(['0', '0'])
  const answered = async () => {
    await askMollie().catch(() => 'the worker left a failure')
    return everywhere()
  }
  const withoutMail = { status: 'degraded', payments: 'ok', services: failing.services }
  await expect.poll(answered).toMatchObject([withoutMail, withoutMail, withoutMail])
  configure({ SMTP_URL: url })
  await askMailServer()
  await expect.poll(everywhere).toEqual([well, well, well])
  await expect.poll(() => up('payments')).toEqual(['1', '1'])
})

it('if several web processes run, each process accepts MAX_CONNECTIONS_PER_ADDRESS connections from one client address', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => workers[0]?.readyz()))
  expect(responses.map((response) => response?.status)).toEqual(Array(40).fill(200))
})
