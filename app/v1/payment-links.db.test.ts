import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { approveReview, rejectReview } from '@/lib/modules/catalog/operations.ts'
import { send } from '@/lib/testing/api.ts'
import { someId } from '@/lib/testing/bad-values.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aShop, eventsOf, type Shop } from '@/lib/testing/shop.ts'
import { suspend } from '@/lib/workflows/storefronts/operations.ts'

let shop: Shop
let key: string
let plan: string
let product: string
beforeAll(async () => {
  shop = await aShop()
  key = shop.testKey
  plan = (await factories.aPlan(key)).id
  product = (await factories.aProduct(key)).id
})

const create = (differences: object = {}, as = key) =>
  send('POST /v1/payment-links', { key: as, body: factories.paymentLinkBody(product, differences) })
const errorsOf = async (differences: object, as = key) => {
  const { status, body } = await create(differences, as)
  expect(status, JSON.stringify(body)).toBe(422)
  return body.errors
}
const change = (id: string, body: object, as = key) => send(`PATCH /v1/payment-links/${id}`, { key: as, body })

describe('a payment link', () => {
  test('a new payment link has exactly the documented fields, and sends no event', async () => {
    const before = await eventsOf(shop)
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^payment_link_[0-9A-Za-z]{22}$/),
      resource: 'payment_link',
      testmode: true,
      name: 'Pricing page',
      url: `http://billhook.test/buy/${body.id.slice('payment_link_'.length)}`,
      active: true,
      items: [
        {
          id: product,
          quantity: 1,
          minQuantity: null,
          maxQuantity: null,
          price: null,
          trialDays: null,
          metadata: null,
        },
      ],
      redirectUrlSuccess: null,
      locale: null,
      metadata: null,
      createdAt: expect.stringMatching(/Z$/),
      links: { self: { href: `http://billhook.test/v1/payment-links/${body.id}`, type: 'application/json' } },
    })
    expect((await send(`GET /v1/payment-links/${body.id}`, { key })).body).toEqual(body)
    await change(body.id, { active: false })
    expect(await eventsOf(shop)).toEqual(before)
  })

  test('a payment link stores its settings and the settings of each item', async () => {
    const items = [
      {
        id: plan,
        quantity: 5,
        minQuantity: 2,
        maxQuantity: 50,
        price: factories.price('9.00'),
        trialDays: 14,
        metadata: { b: 1, a: 'x' },
      },
      { id: product, minQuantity: 3, maxQuantity: 4 },
    ]
    const { body } = await create({
      items,
      redirectUrlSuccess: 'https://shop.example/thanks?c={CHECKOUT_ID}',
      locale: 'de_AT',
      metadata: { campaign: 'launch' },
    })
    expect(body).toMatchObject({
      items: [items[0], { id: product, quantity: 3, minQuantity: 3, maxQuantity: 4, price: null }],
      redirectUrlSuccess: 'https://shop.example/thanks?c={CHECKOUT_ID}',
      locale: 'de',
      metadata: { campaign: 'launch' },
    })
    expect(Object.keys(body.items[0].metadata)).toEqual(['b', 'a'])
  })

  test('repeating a request with its idempotency key creates no second payment link', async () => {
    const { liveKey: as } = await aShop()
    const { id } = await factories.aProduct(as)
    const request = {
      key: as,
      body: factories.paymentLinkBody(id),
      headers: { 'idempotency-key': 'a-payment-link' },
    }
    const [first, second] = [
      await send('POST /v1/payment-links', request),
      await send('POST /v1/payment-links', request),
    ]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await send('GET /v1/payment-links', { key: as })).body.data).toEqual([first.body])
  })

  test('a payment link accepts a product that awaits approval, and refuses a rejected product', async () => {
    const { liveKey: as } = await aShop()
    const [waits, approved, rejected] = [
      await factories.aProduct(as),
      await factories.aProduct(as),
      await factories.aProduct(as),
    ].map(({ id }) => id as string) as [string, string, string]
    await approveReview(approved)
    await rejectReview(rejected, 'No.')
    expect((await create({ items: [{ id: waits }, { id: approved }] }, as)).status).toBe(201)
    expect(await errorsOf({ items: [{ id: waits }, { id: rejected }] }, as)).toEqual({
      'items.1.id': ['The selected product must be active. Its status is rejected.'],
    })
  })

  test('a suspended storefront cannot create a payment link', async () => {
    const suspended = await aShop()
    const { id } = await factories.aProduct(suspended.testKey)
    await suspend(suspended.scope, 'Under review.')
    expect(await create({ items: [{ id }] }, suspended.testKey)).toMatchObject({
      status: 403,
      body: { code: 'storefront_suspended' },
    })
  })
})

describe('a payment link is refused', () => {
  test('a payment link is refused for products of another storefront or mode, and for products with different tax behaviors', async () => {
    const foreign = (await factories.aProduct((await aShop()).testKey)).id
    const live = (await factories.aProduct(shop.liveKey)).id
    const inclusive = (await factories.aProduct(key, { taxBehavior: 'inclusive' })).id
    const archived = (await factories.aProduct(key)).id
    await send(`POST /v1/one-off-products/${archived}/archive`, { key })
    const unknown = 'The selected product does not exist in this storefront and mode.'
    const items = [product, someId('subscription_plan_'), foreign, live, inclusive, archived].map((id) => ({ id }))
    expect(await errorsOf({ items: [...items, { id: product, trialDays: 3 }] })).toEqual({
      'items.1.id': [unknown],
      'items.2.id': [unknown],
      'items.3.id': [unknown],
      'items.4.id': ['All products of a payment link must have the same taxBehavior.'],
      'items.5.id': ['The selected product is archived.'],
      'items.6.trialDays': ['Only a subscription plan can have a trial.'],
    })
  })

  test('a payment link is refused for an invalid range of quantities and for a line above the maximum amount', async () => {
    const of = (item: object) => errorsOf({ items: [{ id: product, ...item }] })
    expect(await of({ minQuantity: 2 })).toEqual({
      'items.0.maxQuantity': ['Send both minQuantity and maxQuantity, or neither.'],
    })
    expect(await of({ quantity: 1, minQuantity: 2, maxQuantity: 9 })).toEqual({
      'items.0.quantity': ['Must be from minQuantity to maxQuantity.'],
    })
    expect(await of({ minQuantity: 1, maxQuantity: 999_999, price: factories.price('100.01') })).toEqual({
      'items.0.maxQuantity': ['Price times quantity must be at most 99999999.99.'],
    })
  })

  test('a payment link is refused for a misspelled field, even in a nested object', async () => {
    expect(await errorsOf({ redirectUrlSucces: 'https://shop.example' })).toEqual({
      redirectUrlSucces: ['Unknown field redirectUrlSucces. Did you mean redirectUrlSuccess?'],
    })
    expect(await errorsOf({ items: [{ id: product, max_quantity: 3 }] })).toHaveProperty(['items.0.max_quantity'])
  })
})

describe('a change of a payment link', () => {
  test('PATCH of a payment link changes only the sent fields', async () => {
    const made = (await create({ metadata: { a: 1 }, redirectUrlSuccess: 'https://shop.example/ok' })).body
    expect((await change(made.id, {})).body).toEqual(made)
    const closed = (await change(made.id, { active: false })).body
    expect(closed).toEqual({ ...made, active: false })
    const changes = { active: true, name: 'Another name', redirectUrlSuccess: null, metadata: { b: 2 } }
    expect((await change(made.id, changes)).body).toEqual({ ...made, ...changes })
    expect((await change(made.id, { metadata: null })).body).toEqual({ ...made, ...changes, metadata: null })
    expect((await send(`GET /v1/payment-links/${made.id}`, { key })).body.metadata).toBeNull()
  })

  test('PATCH of a payment link ignores items and language, and names them in the response', async () => {
    const made = (await create()).body
    const reply = await change(made.id, { items: [], locale: 'de' })
    expect(reply.body).toEqual(made)
    expect(reply.headers.get('ignored-fields')).toBe('items, locale')
  })
})

test('the list of payment links has a filter for the field `active`', async () => {
  const { testKey: as } = await aShop()
  const { id } = await factories.aProduct(as)
  const [open, closed] = [await factories.aPaymentLink(as, id), await factories.aPaymentLink(as, id)]
  await change(closed.id, { active: false }, as)
  const idsOf = async (query: string) =>
    (await send(`GET /v1/payment-links${query}`, { key: as })).body.data.map((link: { id: string }) => link.id)
  expect(await idsOf('')).toEqual([closed.id, open.id])
  expect(await idsOf('?active=true')).toEqual([open.id])
  expect(await idsOf('?active=false')).toEqual([closed.id])
})

test('the requests in docs/contract/payment-links.md have the documented results', async () => {
  const requests = [...readFileSync('docs/contract/payment-links.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  const calls = requests.map(([, text = '']) => {
    const [, method = 'POST', path, body = ''] =
      /^curl (?:-X (\w+) )?"\$BILLHOOK(\S+)" [^']*'[^']*' -d '([\s\S]*)'\n$/.exec(text) ?? []
    return { method, path, body: body.replace("'$PLAN'", plan) }
  })
  const [make, end] = calls
  const made = await send(`${make?.method} ${make?.path}`, { key, body: make?.body })
  expect(made, JSON.stringify(made.body)).toMatchObject({
    status: 201,
    body: { items: [{ id: plan, quantity: 5, minQuantity: 1, maxQuantity: 50, trialDays: 14 }] },
  })
  const path = end?.path?.replace('$PAYMENT_LINK', made.body.id)
  expect(await send(`${end?.method} ${path}`, { key, body: end?.body })).toMatchObject({
    status: 200,
    body: { active: false },
  })
})
