import { expect, it } from 'vitest'
import { POST } from '../app/demo/receiver/[version]/route.ts'
import * as webhooks from '../lib/modules/webhooks/operations.ts'
import { resendDelivery } from '../lib/modules/webhooks/resend.ts'
import { config } from '../lib/platform/config.ts'
import { db } from '../lib/platform/db/db.ts'
import { notRouted } from '../lib/platform/http/keyless.ts'
import { listen } from '../lib/server/listen.ts'
import { configure } from '../lib/testing/configure.ts'
import { call, runDueTasks } from '../lib/testing/shop.ts'
import { findDemo } from './demo.ts'
import { freePort } from './embedded-postgres.mjs'

configure({ PORT: String(await freePort()) })

const listening = () =>
  listen({
    port: config().port,
    clientAddressHeader: null,
    maxConnectionsPerAddress: 0,
    baseUrl: config().publicBaseUrl,
    routes: [{ path: '/demo/receiver/[version]', methods: { POST } }],
    notRouted,
    pages: async (_message, response) => void response.writeHead(404).end(),
    served: () => undefined,
    report: (error) => {
      throw error
    },
  })

it('the demo has members, and a failed webhook whose response explains how to fix it', async () => {
  const demo = await findDemo(null)
  if (!demo) throw new Error('no demo was made')
  const tenant = { storefrontId: demo.storefrontId, testmode: true }
  const people = await db().operators.findMany({ orderBy: { email: 'asc' } })
  expect(people.map(({ role }) => role)).toEqual(['accountant', 'developer', null, 'owner', 'support'])

  const deliveries = async () =>
    (await webhooks.listDeliveries(demo.storefrontId)).toReversed().map(({ id, status, log }) => ({ id, status, log }))
  expect((await deliveries()).map(({ log }) => log)).toEqual([[]])

  const service = await listening()
  await runDueTasks()
  const before = await deliveries()
  expect(before.map(({ status, log }) => [status, log.map((attempt) => attempt.status)])).toEqual([['pending', [500]]])
  const [attempt] = await db().delivery_attempts.findMany({ where: { status: 500 } })
  const [, mended = ''] = /change the URL of the endpoint to (\S+), then send/.exec(attempt?.answer ?? '') ?? []

  const endpoint = await db().webhook_endpoints.findFirstOrThrow({ where: { storefront_id: demo.storefrontId } })
  // The demo endpoint does not count toward the limit of five, and gets no events of visitors' sales.
  expect(endpoint.slot).toBe(0)
  expect(endpoint.enabled_events).not.toContain('order.paid')
  await webhooks.update(tenant, endpoint.id, { url: mended })
  await resendDelivery(before[0]?.id ?? '')
  await runDueTasks()
  expect((await deliveries()).map(({ status }) => status)).toEqual(['delivered'])
  await service.close(1_000)
})

it('a database with merchants gets no demo', async () => {
  expect(await findDemo(null)).toBeNull()
})

it('the demo receiver accepts only known events, and responds with 404 in production', async () => {
  const send = (version: string, body: unknown) =>
    POST(
      new Request(`http://localhost/demo/receiver/${version}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      { params: Promise.resolve({ version }) },
    ).then(({ status }) => status)
  expect(await send('v1', { eventName: 'webhook.setup' })).toBe(200)
  expect(await send('v3', { eventName: 'webhook.setup' })).toBe(404)
  expect(await send('v1', {})).toBe(404)
  expect(await call(POST, 'POST', '/demo/receiver/v1', { body: 'no JSON' })).toMatchObject({ status: 400 })
  Object.assign(config(), { environment: 'production' })
  expect(await send('v1', { eventName: 'webhook.setup' })).toBe(404)
})
