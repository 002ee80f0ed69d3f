import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { barrier } from '../../testing/barrier.ts'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { selfSigned } from '../../testing/self-signed.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { list, register, update } from './operations.ts'

const secret = 'whsec_0123456789'
const sentences = (error: { code: string; on: object }) => [error.code, error.on]
let shop: Shop
let receiver: Awaited<ReturnType<typeof aReceiver>>
const add = (path: string) => register(shop.scope, { url: `${receiver.url}/${path}`, secret })
const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.all(calls.map((call) => call.then(() => 'registered', sentences)))).sort()
/** Responds only when all `n` pings have arrived, so that each registration has counted the endpoints before any registration adds an endpoint. */
const answerTogether = (n: number) => {
  const all = barrier(n)
  receiver.answer = (response) => all().then(() => response.end())
}

beforeAll(async () => {
  receiver = await aReceiver()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  shop = await aShop()
  receiver.answer = answered(200)
})

describe('concurrent registrations', () => {
  it('a storefront with four webhook endpoints accepts only one of two concurrent registrations', async () => {
    for (const path of ['a', 'b', 'c', 'd']) await add(path)
    answerTogether(2)
    const full = ['validation_failed', { url: ['A storefront can have at most 5 webhook endpoints.'] }]
    expect(await outcomes([add('e'), add('f')])).toEqual(['registered', full])
    expect(await db().webhook_endpoints.count({ where: { storefront_id: shop.storefrontId } })).toBe(5)
  })

  it('five concurrent registrations in a storefront without webhook endpoints all succeed', async () => {
    answerTogether(5)
    expect(await outcomes(['a', 'b', 'c', 'd', 'e'].map(add))).toEqual(Array(5).fill('registered'))
  })

  it('of two concurrent registrations with one URL, or two concurrent changes to one URL, exactly one succeeds', async () => {
    answerTogether(2)
    const taken = ['validation_failed', { url: [expect.stringContaining('has this URL')] }]
    expect(await outcomes([add('a'), add('./a')])).toEqual(['registered', taken])
    const ids = [await add('b').then(({ id }) => id), await add('c').then(({ id }) => id)]
    answerTogether(2)
    const move = (id: string) => update(shop.scope, id, { url: `${receiver.url}/d` })
    expect(await outcomes(ids.map(move))).toEqual(['registered', taken])
  })
})

describe('ping', () => {
  it('the ping to a changed endpoint URL states the time of the change, not the time of the registration', async () => {
    const early = await aShop({ at: '2027-01-01T00:00:00Z' })
    const { id } = await register(early.scope, { url: `${receiver.url}/early`, secret })
    await pass({ key: early.testKey }, 'P1M')
    await update(early.scope, id, { url: `${receiver.url}/later` })
    const pings = receiver.requests.slice(-2)
    expect(pings.map(({ body }) => body.createdAt.slice(0, 10))).toEqual(['2027-01-01', '2027-02-01'])
    expect(pings[0]?.body.id).not.toBe(pings[1]?.body.id)
  })
})

describe('certificate', () => {
  it('a URL with a self-signed certificate is refused, and no endpoint is stored', async () => {
    const secure = await aReceiver(answered(200), selfSigned)
    await expect(register(shop.scope, { url: secure.url, secret })).rejects.toMatchObject({
      code: 'validation_failed',
      on: { url: [expect.stringContaining('The certificate is not valid.')] },
    })
    expect(secure.requests).toEqual([])
    expect(await list(shop.scope, { limit: 10 }, new URL('http://x/v1/webhook-endpoints'))).toMatchObject({ count: 0 })
    await secure.close()
  })
})

describe('secret', () => {
  it('the secret of an endpoint is stored encrypted', async () => {
    await add('a')
    const { sealed_secret } = await db().webhook_endpoints.findFirstOrThrow({
      where: { storefront_id: shop.storefrontId },
    })
    expect(Buffer.from(sealed_secret).includes(secret)).toBe(false)
  })
})
