import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import type { EventName } from '../modules/events/event-types.ts'
import { transact } from '../modules/events/transact.ts'
import { register, update } from '../modules/webhooks/operations.ts'
import { db } from '../platform/db/db.ts'
import { tasks } from '../server/jobs.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { answered, aReceiver } from '../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../testing/shop.ts'
import { advanceByDuration } from '../workflows/test-helpers/operations.ts'
import * as admin from './pages.ts'

let shop: Shop
let endpointId: string
let receiver: Awaited<ReturnType<typeof aReceiver>>
let cookies: string
let number = 0

beforeEach(async () => {
  await receiver?.close()
  await db().tasks.deleteMany()
  shop = await aShop()
  receiver = await aReceiver()
  endpointId = (await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789abcdefWXYZ' })).id
  cookies = (await anOperator(`webhooks${number++}@example.com`)).cookies ?? ''
})
afterAll(() => receiver.close())

const at = () => ({ mode: 'test', storefrontId: shop.storefrontId })
const root = () => `/admin/test/${shop.storefrontId}`
const emit = (name: EventName, id: string) => transact(shop.scope, (tx) => tx.emit({ name, object: { id } }))
const form = (fields: Record<string, string>) => new URLSearchParams({ key: crypto.randomUUID(), ...fields })
const entries = async (action: string) => (await auditLog(null, 50)).filter((entry) => entry.action === action)

function followed(next: { redirectTo: string; cookie?: string } | null) {
  const url = new URL(next?.redirectTo ?? '', 'http://localhost')
  const left = next?.cookie ? `; ${next.cookie.split(';')[0]}` : ''
  return { parameters: Object.fromEntries(url.searchParams), cookies: `${cookies}${left}`, path: url.pathname }
}

/** Creates two events whose deliveries failed after all attempts, and one delivered event. */
async function someFailed(): Promise<void> {
  await emit('order.paid', 'order_1')
  await runDueTasks()
  receiver.answer = answered(500, {}, 'broken')
  await emit('order.paid', 'order_2')
  await emit('refund.failed', 'refund_1')
  await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)
  receiver.answer = answered(200)
}

describe('the list of deliveries', () => {
  test('each active filter of the deliveries has a link that removes the filter', async () => {
    await someFailed()
    const filters = { status: 'failed', event: 'order.paid', object: 'order_2', from: '2020-01-01' }
    const page = await admin.deliveriesPage(at(), filters, cookies)
    expect(page?.rows).toMatchObject([{ entityId: 'order_2', status: 'failed' }])
    expect(page?.chips.map(({ name, value }) => [name, value])).toEqual([
      ['event', 'order.paid'],
      ['object', 'order_2'],
      ['from', '2020-01-01'],
    ])
    expect(page?.chips[1]?.url).toBe(`${root()}/deliveries?status=failed&event=order.paid&from=2020-01-01`)
    expect(page?.exportUrl).toBe(
      `${root()}/export/deliveries?status=failed&event=order.paid&object=order_2&from=2020-01-01`,
    )
    expect(page?.endpoints).toEqual([{ id: endpointId, url: receiver.url }])
  })

  test('invalid filters of the list of deliveries are ignored', async () => {
    await someFailed()
    const page = await admin.deliveriesPage(
      at(),
      { event: 'order.unknown', from: '2020-02-30', to: 'x', object: ' ', status: 'constructor' },
      cookies,
    )
    expect([page?.rows.length, page?.chips]).toEqual([3, []])
  })

  test('submitting one form twice re-sends each matching failed delivery once', async () => {
    await someFailed()
    const filters = { status: 'failed', event: 'order.paid' }
    const list = await admin.deliveriesPage(at(), filters, cookies)
    expect(list?.resend).toBeNull()
    expect(list?.resendUrl).toBe(`${root()}/deliveries?status=failed&event=order.paid&confirm=resend#resend`)
    const asked = await admin.deliveriesPage(at(), { ...filters, confirm: 'resend' }, cookies)
    expect(asked?.resend).toMatchObject({ count: 1, fields: [{ name: 'event', value: 'order.paid' }] })
    const sent = form({ event: 'order.paid', key: asked?.resend?.formKey ?? '' })
    for (let n = 0; n < 2; n++) {
      const { parameters, cookies: left } = followed(await admin.submitDeliveries(at(), sent, cookies))
      expect(parameters).toMatchObject({ status: 'failed', event: 'order.paid' })
      expect((await admin.deliveriesPage(at(), parameters, left))?.resent).toBe(1)
    }
    expect(await entries('delivery.resend_matching')).toMatchObject([
      { subject: shop.storefrontId, after: { count: 1, event: 'order.paid' } },
    ])
    const statuses = await db().deliveries.findMany({
      where: { storefront_id: shop.storefrontId },
      orderBy: { id: 'asc' },
    })
    expect(statuses.map(({ status }) => status)).toEqual(['delivered', 'pending', 'failed'])
  })

  test('a re-send for an endpoint of another storefront has no effect', async () => {
    await someFailed()
    const other = await aShop()
    const { id } = await register(other.scope, { url: receiver.url, secret: 'whsec_0123456789' })
    expect(await admin.submitDeliveries(at(), form({ endpoint: id }), cookies)).toBeNull()
    expect(await db().deliveries.count({ where: { storefront_id: shop.storefrontId, status: 'failed' } })).toBe(2)
  })
})

describe('a delivery', () => {
  test('the page of a failed delivery shows the kind of failure and links to the event, object, and endpoint', async () => {
    await someFailed()
    const row = await db().deliveries.findFirstOrThrow({
      where: { storefront_id: shop.storefrontId, entity_id: 'order_2' },
    })
    const page = await admin.deliveryPage(at(), row.id, cookies)
    expect(page).toMatchObject({
      failure: 'broken',
      eventUrl: `${root()}/events/${row.event_id}`,
      endpointPath: `${root()}/endpoints/${endpointId}`,
      objectUrl: null,
    })
    expect(page?.log.at(-1)).toMatchObject({ status: 500, answer: 'broken' })
  })
})

describe('events', () => {
  test('events can be filtered by name, object, and day, and the page of an event lists its deliveries', async () => {
    await someFailed()
    const shown = async (filters: Record<string, string>) =>
      (await admin.eventsPage(at(), filters, cookies))?.rows.map(({ entityId }) => entityId)
    expect(await shown({})).toEqual(['refund_1', 'order_2', 'order_1'])
    expect(await shown({ event: 'order.paid' })).toEqual(['order_2', 'order_1'])
    expect(await shown({ object: 'order_1' })).toEqual(['order_1'])
    expect(await shown({ to: '2020-01-01' })).toEqual([])
    const [row] = (await admin.eventsPage(at(), { object: 'order_1' }, cookies))?.rows ?? []
    const event = await admin.eventPage(at(), row?.id ?? '', cookies)
    expect(event).toMatchObject({ eventName: 'order.paid', deliveries: [{ status: 'delivered', entityId: 'order_1' }] })
    expect(event?.body).toContain('"order_1"')
  })
})

describe('an endpoint', () => {
  test('the sidebar counts failing endpoints, and the page of an endpoint shows the last failure', async () => {
    const count = async () =>
      (await admin.storefrontFrame(at(), cookies))?.storefront?.groups
        .flatMap(({ links }) => links)
        .find(({ section }) => section === 'endpoints')
    await someFailed()
    expect(await count()).toMatchObject({ count: 1, tabs: [`${root()}/deliveries`] })
    const page = await admin.endpointPage(at(), endpointId, null, cookies)
    expect(page?.health).toMatchObject({ state: 'failing', lastFailure: { attempt: { status: 500 } }, waiting: 0 })
    await emit('order.paid', 'order_3')
    await runDueTasks()
    expect(await count()).toMatchObject({ count: 0 })
    expect((await admin.endpointsPage(at(), null, cookies))?.endpoints).toMatchObject([
      { id: endpointId, health: { state: 'working' } },
    ])
  })

  test('submitting one test-event form twice sends one event, and the page shows the response', async () => {
    receiver.answer = answered(418)
    const page = await admin.endpointPage(at(), endpointId, null, cookies)
    expect(page?.ping).toMatchObject({ result: null })
    const before = receiver.requests.length
    const sent = form({ intent: 'ping', key: page?.ping?.formKey ?? '' })
    for (let n = 0; n < 2; n++) {
      const { parameters, cookies: left } = followed(await admin.submitEndpoint(at(), endpointId, sent, cookies))
      const shown = await admin.endpointPage(at(), endpointId, parameters.form ?? null, left)
      expect(shown?.ping?.result).toEqual({
        delivered: false,
        status: 418,
        durationMs: expect.any(Number),
        error: null,
      })
      expect(shown?.form?.enabledEvents.length).toBeGreaterThan(20)
    }
    expect(receiver.requests.length - before).toBe(1)
    expect(receiver.requests.at(-1)?.body).toMatchObject({ eventName: 'webhook.setup' })
    expect(await entries('endpoint.ping')).toMatchObject([
      { subject: endpointId, after: { delivered: false, status: 418 } },
    ])
  })

  test('the page of an endpoint shows why a test event got no response', async () => {
    await receiver.close()
    const sent = form({ intent: 'ping' })
    const { parameters, cookies: left } = followed(await admin.submitEndpoint(at(), endpointId, sent, cookies))
    expect((await admin.endpointPage(at(), endpointId, parameters.form ?? null, left))?.ping?.result).toMatchObject({
      delivered: false,
      status: null,
      error: 'The connection was refused.',
    })
    receiver = await aReceiver()
  })

  test('at most ten test events are sent to one endpoint per minute', async () => {
    const before = receiver.requests.length
    const outcomes: string[] = []
    for (let n = 0; n < 11; n++) {
      const next = await admin.submitEndpoint(at(), endpointId, form({ intent: 'ping' }), cookies)
      outcomes.push(next?.redirectTo.endsWith('?done=pingLater') ? 'limited' : 'sent')
    }
    expect(outcomes).toEqual([...Array(10).fill('sent'), 'limited'])
    expect(receiver.requests.length - before).toBe(10)
  })

  test('during a rotation, the page of an endpoint shows both secret hints and the end of the previous secret', async () => {
    await update(shop.scope, endpointId, { secret: 'whsec_fedcba9876543210ABCD' })
    const page = await admin.endpointPage(at(), endpointId, null, cookies)
    expect(page?.secret).toEqual({ hint: 'ABCD', isReadable: true })
    expect(page?.previousSecret).toMatchObject({ hint: 'WXYZ', isReadable: true, until: expect.any(String) })
    expect(JSON.stringify(page)).not.toContain('whsec_')
    await admin.submitEndpoint(at(), endpointId, form({ intent: 'endSecret' }), cookies)
    expect((await admin.endpointPage(at(), endpointId, null, cookies))?.previousSecret).toBeNull()
  })
})

describe('an API key', () => {
  const keys = async () => (await admin.keysPage(at(), null, cookies))?.keys ?? []

  test('an API key is issued with a name and renamed, and the audit log shows the new name', async () => {
    await admin.submitKeys(at(), form({ intent: 'issue', scope: 'read_only', name: ' Shop backend ' }), cookies)
    const [key] = await keys()
    expect(key).toMatchObject({ name: 'Shop backend', lastUsedAt: null })
    expect(await entries('key.create')).toMatchObject([{ after: { keyId: key?.id, scope: 'read_only' } }])
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const owner = await aMember('owner-of-keys@example.com', merchant_id, 'owner')
    const rename = form({ intent: 'rename', id: key?.id ?? '', name: 'Reports' })
    expect(await admin.submitKeys(at(), rename, owner.cookies)).toEqual({ redirectTo: `${root()}/keys?done=renamed` })
    expect((await keys())[0]).toMatchObject({ name: 'Reports' })
    const log = await admin.merchantAuditPage(at(), { topic: 'access' }, owner.cookies)
    expect(log?.entries[0]).toMatchObject({ action: 'key.rename', subject: key?.id, subjectName: 'Reports' })
    const stored = [...(await entries('key.create')), ...(await entries('key.rename'))].map(({ after }) => after)
    expect(JSON.stringify(stored)).not.toMatch(/Shop backend|Reports/)
  })

  test('an API key is neither issued nor renamed if the name is too long, and the form shows the problem', async () => {
    const before = await keys()
    const long = 'x'.repeat(61)
    for (const fields of [
      { intent: 'issue', scope: 'read_only', name: long },
      { intent: 'rename', id: before[0]?.id ?? '', name: long },
    ]) {
      const { parameters, cookies: left } = followed(await admin.submitKeys(at(), form(fields), cookies))
      expect((await admin.keysPage(at(), parameters.form ?? null, left))?.problems).toEqual({
        name: 'Must have 1 to 60 characters, at least one of them visible.',
      })
    }
    expect(await keys()).toEqual(before)
  })

  test('an API key of another storefront or mode cannot be renamed', async () => {
    const [key] = await keys()
    const other = await aShop()
    for (const place of [
      { ...at(), mode: 'live' },
      { mode: 'test', storefrontId: other.storefrontId },
    ])
      expect(
        await admin.submitKeys(place, form({ intent: 'rename', id: key?.id ?? '', name: 'x' }), cookies),
      ).toMatchObject({
        redirectTo: expect.stringContaining('failed=not_found'),
      })
    expect((await keys())[0]?.name).toBeNull()
  })
})
