import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventNames } from '@/lib/modules/events/event-types.ts'
import { db } from '@/lib/platform/db/db.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { send } from '@/lib/testing/api.ts'
import { configure } from '@/lib/testing/configure.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aReceiver, isSigned } from '@/lib/testing/receiver.ts'
import { aShop, runDueTasks, type Shop, stopClock } from '@/lib/testing/shop.ts'

let shop: Shop
let key: string
let receiver: Awaited<ReturnType<typeof aReceiver>>
beforeAll(async () => {
  receiver = await aReceiver((response, { path }) => {
    const status = /^\/(\d{3})$/.exec(path)?.[1] ?? '200'
    response.writeHead(Number(status), { location: '/elsewhere' }).end()
  })
})
afterAll(() => receiver.close())
beforeEach(async () => {
  shop = await aShop()
  key = shop.testKey
  receiver.requests.length = 0
})

const at = (path: string) => new URL(path, receiver.url).href
const create = (body: object, as = key) =>
  send('POST /v1/webhook-endpoints', { key: as, body: factories.webhookBody(receiver.url, body) })
const patch = (id: string, body: object) => send(`PATCH /v1/webhook-endpoints/${id}`, { key, body })
const get = async (id: string) => (await send(`GET /v1/webhook-endpoints/${id}`, { key })).body
const urlErrors = async (reply: Promise<{ status: number; body: { errors: object } }>) => {
  const { status, body } = await reply
  expect(status).toBe(422)
  return body.errors
}

describe('the registration of a webhook endpoint', () => {
  test('POST of a webhook endpoint returns no secret, and enables all current events by default', async () => {
    const { status, body } = await create({ enabledEvents: undefined })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^webhook_[0-9A-Za-z]{22}$/),
      resource: 'webhook_endpoint',
      testmode: true,
      url: receiver.url,
      enabledEvents: eventNames,
      createdAt: expect.stringMatching(/Z$/),
      links: { self: { href: `http://billhook.test/v1/webhook-endpoints/${body.id}`, type: 'application/json' } },
    })
    expect(eventNames).toHaveLength(31)
    expect(await get(body.id)).toEqual(body)
    expect((await create({ url: at('/dormant'), enabledEvents: [] })).body).toMatchObject({ enabledEvents: [] })
  })

  test('POST of a webhook endpoint sends one signed ping, and stores neither an event nor a delivery', async () => {
    const { body } = await create({ secret: 'whsec_a_secret', enabledEvents: [] })
    expect(receiver.requests).toHaveLength(1)
    const [ping] = receiver.requests
    const event = ping?.body
    expect(event).toEqual({
      id: expect.stringMatching(/^webhook_event_[0-9A-Za-z]{22}$/),
      resource: 'webhook_event',
      eventName: 'webhook.setup',
      reason: null,
      entityType: 'webhook',
      entityId: body.id,
      testmode: true,
      createdAt: body.createdAt,
      object: { resource: 'webhook_endpoint', id: body.id, url: receiver.url, testmode: true },
    })
    expect(ping && isSigned(ping, 'whsec_a_secret')).toBe(true)
    expect(ping?.headers).toMatchObject({
      'service-event-id': event.id,
      'content-type': expect.stringContaining('json'),
    })
    expect(ping?.headers['user-agent']).toMatch(/\S/)
    expect((await send(`GET /v1/webhook-events/${event.id}`, { key })).status).toBe(404)
    expect(await runDueTasks()).toBe(0)
  })

  test.each([
    ['/400', 'The URL must respond to the webhook.setup ping with 2xx. Its response was 400.'],
    ['/500', 'The URL must respond to the webhook.setup ping with 2xx. Its response was 500.'],
    ['/302', 'The URL must respond to the webhook.setup ping with 2xx. Its response was 302.'],
  ])(
    'a webhook endpoint with the path %s is refused because of its response to the ping: %s',
    async (path, sentence) => {
      const before = await allRows()
      expect(await urlErrors(create({ url: at(path) }))).toEqual({ url: [sentence] })
      expect(await allRows()).toEqual(before)
      expect(receiver.requests.map((one) => one.path)).toEqual([path])
    },
  )

  test('a webhook endpoint is refused if nothing listens at its URL, and accepted after any 2xx response', async () => {
    const closed = await aReceiver()
    await closed.close()
    expect(await urlErrors(create({ url: closed.url }))).toEqual({
      url: [expect.stringContaining('did not respond to the webhook.setup ping. The connection was refused.')],
    })
    expect((await create({ url: at('/204') })).status).toBe(201)
  })

  test('a second endpoint with the same URL in any spelling is refused until the first endpoint is deleted', async () => {
    const taken = { url: ['Another endpoint of this storefront and mode has this URL.'] }
    const { body } = await create({ url: at('/a') })
    const { port } = new URL(receiver.url)
    for (const url of [
      at('/a'),
      `HTTP://127.0.0.1:${port}/a`,
      `http://127.1:${port}/b/../a`,
      `http://0x7f000001:${port}/a`,
      at('/%61'),
    ]) {
      expect(await urlErrors(create({ url }))).toEqual(taken)
    }
    expect((await create({ url: at('/a') }, shop.liveKey)).body).toMatchObject({ testmode: false })
    expect((await create({ url: at('/a') }, (await aShop()).testKey)).status).toBe(201)
    expect((await create({ url: at('/a?b') })).status).toBe(201)
    await send(`DELETE /v1/webhook-endpoints/${body.id}`, { key })
    expect((await create({ url: at('/a') })).status).toBe(201)
    expect(receiver.requests).toHaveLength(5)
  })

  test('a webhook URL with a fragment or user information is refused', async () => {
    const fragment = { url: ['Must not have a fragment (#), because HTTP requests do not send fragments.'] }
    const credentials = { url: ['Must not contain credentials (user:password@).'] }
    for (const end of ['#a', '#b', '?c#', '#'])
      expect(await urlErrors(create({ url: `${receiver.url}${end}` }))).toEqual(fragment)
    for (const user of ['ada@', 'ada:word@', '@', ':@'])
      expect(await urlErrors(create({ url: receiver.url.replace('//', `//${user}`) }))).toEqual(credentials)
    const { body } = await create({})
    expect(await urlErrors(patch(body.id, { url: `${receiver.url}#a` }))).toEqual(fragment)
    expect(receiver.requests).toHaveLength(1)
  })

  test('a stored endpoint with a fragment in its URL can be changed, and another endpoint cannot have that URL', async () => {
    const ids = [(await create({})).body.id, (await create({ url: at('/other') })).body.id]
    for (const [index, id] of ids.entries()) {
      const url = `${receiver.url}#${index}`
      await db().webhook_endpoints.update({ where: { id }, data: { url, claimed_url: url } })
    }
    const taken = { url: ['Another endpoint of this storefront and mode has this URL.'] }
    expect(await urlErrors(create({}))).toEqual(taken)
    expect(await urlErrors(patch(ids[0], { url: receiver.url }))).toEqual(taken)
    for (const id of ids) expect((await patch(id, { enabledEvents: ['order.paid'] })).status).toBe(200)
    expect((await patch(ids[1], { url: at('/moved') })).status).toBe(200)
    expect(await patch(ids[0], { url: receiver.url })).toMatchObject({ status: 200, body: { url: receiver.url } })
  })

  test('eight simultaneous requests register at most five webhook endpoints in a mode', async () => {
    const eight = await Promise.all(Array.from({ length: 8 }, (_, index) => create({ url: at(`/${index}`) })))
    expect(eight.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 422, 422, 422])
    const full = { url: ['A storefront can have at most 5 webhook endpoints.'] }
    for (const { status, body } of eight) if (status === 422) expect(body.errors).toEqual(full)
    expect(await urlErrors(create({ url: at('/another') }))).toEqual(full)
    expect((await create({ url: at('/another') }, shop.liveKey)).status).toBe(201)
    const [one] = (await send('GET /v1/webhook-endpoints', { key })).body.data
    await send(`DELETE /v1/webhook-endpoints/${one.id}`, { key })
    expect((await create({ url: at('/another') })).status).toBe(201)
  })

  test('exactly one of eight simultaneous registrations of the same webhook URL succeeds', async () => {
    const eight = await Promise.all(Array.from({ length: 8 }, () => create({})))
    expect(eight.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)])
  })
})

describe('a change', () => {
  test('PATCH of a webhook endpoint keeps fields that are not sent, and an empty body changes nothing', async () => {
    const { body } = await create({ enabledEvents: ['order.paid', 'checkout.paid'] })
    for (const nothing of [{}, { unknown: 1 }, { url: receiver.url }])
      expect(await patch(body.id, nothing)).toMatchObject({ status: 200, body })
    expect((await send(`PATCH /v1/webhook-endpoints/${body.id}`, { key })).body).toEqual(body)
    expect((await patch(body.id, { enabledEvents: ['refund.failed'] })).body).toEqual({
      ...body,
      enabledEvents: ['refund.failed'],
    })
    expect((await patch(body.id, { enabledEvents: [] })).body).toEqual({ ...body, enabledEvents: [] })
    expect(JSON.stringify(await patch(body.id, { secret: 'whsec_another_one' }))).not.toContain('whsec')
    expect(receiver.requests).toHaveLength(1)
  })

  test('a PATCH with a new webhook URL sends a ping, signed with the secret in the request', async () => {
    const { body } = await create({})
    await create({ url: at('/taken') })
    receiver.requests.length = 0
    expect(await urlErrors(patch(body.id, { url: at('/500'), enabledEvents: [] }))).toHaveProperty('url')
    expect(await urlErrors(patch(body.id, { url: at('/taken') }))).toHaveProperty('url')
    expect(await urlErrors(patch(body.id, { url: 'https://10.0.0.1/' }))).toHaveProperty('url')
    expect(await get(body.id)).toEqual(body)
    const moved = await patch(body.id, { url: at('/moved'), secret: 'whsec_another_one' })
    expect(moved).toMatchObject({ status: 200, body: { ...body, url: at('/moved') } })
    const ping = receiver.requests.at(-1)
    expect(ping && isSigned(ping, 'whsec_another_one')).toBe(true)
    expect(ping?.body.object.url).toBe(at('/moved'))
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/500', '/moved'])
  })
})

test('a deleted webhook endpoint disappears from every response', async () => {
  const { body } = await create({})
  expect(await send(`DELETE /v1/webhook-endpoints/${body.id}`, { key })).toMatchObject({ status: 204, body: undefined })
  for (const line of ['GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/webhook-endpoints/${body.id}`)) {
    expect(await send(line, { key })).toMatchObject({ status: 404 })
  }
  expect((await send('GET /v1/webhook-endpoints', { key })).body).toMatchObject({ data: [], count: 0 })
})

test('a stored event equals the delivered body and contains the object as it was at the time of the event', async () => {
  await create({ enabledEvents: ['one_off_product.archived'] })
  const product = await factories.aProduct(key)
  await stopClock(shop) // The clock is stopped, so that the object and its event have the same second.
  await send(`POST /v1/one-off-products/${product.id}/archive`, { key })
  const archived = (await send(`GET /v1/one-off-products/${product.id}`, { key })).body
  await runDueTasks()
  const delivered = receiver.requests.at(-1)
  const id = String(delivered?.headers['service-event-id'])
  const { body } = await send(`GET /v1/webhook-events/${id}`, { key })
  expect(JSON.stringify(body)).toBe(delivered?.text)
  expect(body).toEqual({
    id,
    resource: 'webhook_event',
    eventName: 'one_off_product.archived',
    reason: null,
    entityType: 'one_off_product',
    entityId: product.id,
    testmode: true,
    createdAt: archived.archivedAt,
    object: archived,
    links: { self: { href: `http://billhook.test/v1/webhook-events/${id}`, type: 'application/json' } },
  })
  expect(JSON.stringify(body.object)).toBe(JSON.stringify(archived))
})

describe('a ping', () => {
  const ping = (id: string, more: object = {}) => send(`POST /v1/webhook-endpoints/${id}/ping`, { key, ...more })

  test('POST /v1/webhook-endpoints/{id}/ping sends webhook.setup again and returns the receiver’s response', async () => {
    const { body } = await create({ enabledEvents: [] })
    const reply = await ping(body.id)
    expect(reply).toMatchObject({ status: 200, body: { delivered: true, status: 200, error: null } })
    expect(reply.body.durationMs).toBeGreaterThanOrEqual(0)
    const [setup, again] = receiver.requests
    expect(again?.body).toEqual({ ...setup?.body, id: again?.body.id, createdAt: again?.body.createdAt })
    expect(again?.body.id).not.toBe(setup?.body.id)
    expect(again && isSigned(again, factories.webhookBody('').secret)).toBe(true)
  })

  test('POST /v1/webhook-endpoints/{id}/ping returns 200 even if the receiver refuses the ping or is down', async () => {
    const down = await aReceiver()
    const { body } = await create({ url: down.url })
    down.answer = (response) => response.writeHead(503).end()
    expect(await ping(body.id)).toMatchObject({ status: 200, body: { delivered: false, status: 503, error: null } })
    await down.close()
    const refused = { delivered: false, status: null, error: 'The connection was refused.' }
    expect(await ping(body.id)).toMatchObject({ status: 200, body: refused })
  })

  test('a ping writes no row, and a second ping with the same idempotency key returns the first response', async () => {
    const { body } = await create({})
    const before = await allRows()
    await ping(body.id)
    expect(await allRows()).toEqual(before)
    const once = { headers: { 'idempotency-key': 'ping' } }
    const [first, again] = [await ping(body.id, once), await ping(body.id, once)]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(receiver.requests).toHaveLength(3)
  })

  test('a ping returns 404 if the endpoint belongs to another storefront or mode', async () => {
    const { body } = await create({})
    const other = await aShop({ name: 'Another one' })
    for (const each of [shop.liveKey, other.testKey])
      expect(await ping(body.id, { key: each })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(receiver.requests).toHaveLength(1)
  })

  test('a storefront can have five running and five waiting pings, and a further ping gets 429 with Retry-After', async () => {
    const hanging = await aReceiver()
    const { body } = await create({ url: hanging.url })
    const held: (() => void)[] = []
    hanging.answer = (response) => void held.push(() => response.end())
    const pings = Array.from({ length: 11 }, () => ping(body.id))
    const settled = await Promise.race(pings)
    expect(settled).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(settled.headers.get('Retry-After')).toBe('10')
    expect(hanging.mostAtOnce).toBeLessThanOrEqual(5)
    hanging.answer = (response) => response.end()
    for (const end of held) end()
    const statuses = (await Promise.all(pings)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    await hanging.close()
  })
})

describe('a loopback address', () => {
  const loopback = () => `http://127.0.0.1:${receiver.port}/local`
  const allowed = process.env.WEBHOOK_ALLOWED_HOSTS
  beforeEach(() => configure({ WEBHOOK_ALLOWED_HOSTS: '', WEBHOOK_LOOPBACK: 'test' }))
  afterAll(() => configure({ WEBHOOK_ALLOWED_HOSTS: allowed, WEBHOOK_LOOPBACK: undefined }))

  test('a webhook endpoint in test mode may have a loopback address, and gets events and pings', async () => {
    const enabledEvents = ['one_off_product.archived']
    const { status, body } = await create({ url: loopback(), enabledEvents })
    expect([status, body.url]).toEqual([201, loopback()])
    const { id } = await factories.aProduct(key)
    await send(`POST /v1/one-off-products/${id}/archive`, { key })
    await runDueTasks()
    expect(receiver.requests.map(({ path, body }) => [path, body.eventName])).toContainEqual([
      '/local',
      'one_off_product.archived',
    ])
    expect(await send(`POST /v1/webhook-endpoints/${body.id}/ping`, { key })).toMatchObject({
      body: { delivered: true },
    })
  })

  test('a loopback webhook URL is refused in live mode, and in test mode if WEBHOOK_LOOPBACK is off', async () => {
    const rule = { url: ['Must be an https URL.'] }
    expect(await urlErrors(create({ url: loopback() }, shop.liveKey))).toEqual(rule)
    const { body } = await create({ url: loopback() })
    configure({ WEBHOOK_LOOPBACK: 'off' })
    expect(await urlErrors(create({ url: `${loopback()}/2` }))).toEqual(rule)
    const refused = { delivered: false, status: null, error: 'Must be an https URL.' }
    expect((await send(`POST /v1/webhook-endpoints/${body.id}/ping`, { key })).body).toMatchObject(refused)
    expect(receiver.requests).toHaveLength(1)
  })
})
