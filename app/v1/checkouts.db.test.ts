import { beforeAll, describe, expect, test } from 'vitest'
import { approveReview, rejectReview } from '@/lib/modules/catalog/operations.ts'
import { send } from '@/lib/testing/api.ts'
import { someId } from '@/lib/testing/bad-values.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aShop, type Shop } from '@/lib/testing/shop.ts'

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

const create = (differences: object, as = key) =>
  send('POST /v1/checkouts', { key: as, body: factories.checkoutBody(product, differences) })
const errorsOf = async (differences: object, as = key) => {
  const { status, body } = await create(differences, as)
  expect(status, JSON.stringify(body)).toBe(422)
  return body.errors
}
const unknown = 'The selected product does not exist in this storefront and mode.'

describe('a checkout', () => {
  test('a new checkout has exactly the documented fields and expires after one day', async () => {
    const { status, body } = await create({})
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^checkout_[0-9A-Za-z]{22}$/),
      resource: 'checkout',
      testmode: true,
      orderId: null,
      customerId: null,
      redirectUrlSuccess: `https://shop.example/thanks?checkout=${body.id}`,
      redirectUrlCanceled: 'https://shop.example/basket',
      metadata: null,
      locale: null,
      paymentLinkId: null,
      status: 'created',
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      links: {
        checkoutUrl: { href: expect.stringMatching(/^http:\/\/billhook\.test\/checkout\//), type: 'text/html' },
        self: { href: `http://billhook.test/v1/checkouts/${body.id}`, type: 'application/json' },
        order: null,
      },
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(86_400_000)
    expect(body.links.checkoutUrl.href).not.toContain(body.id)
    expect((await send(`GET /v1/checkouts/${body.id}`, { key })).body).toEqual(body)
  })

  test('the id of a checkout replaces each {CHECKOUT_ID} in the redirect URLs, and the rest of the URLs stays unchanged', async () => {
    const { body } = await create({
      redirectUrlSuccess:
        'https://Shop.Example:443/{CHECKOUT_ID}/a/../{CHECKOUT_ID}?a={CHECKOUT_ID}&b={checkout_id}&c=$&#{CHECKOUT_ID}',
      redirectUrlCanceled: 'http://localhost:3000/ü?{CHECKOUT_ID',
    })
    const { id } = body
    expect(body.redirectUrlSuccess).toBe(`https://Shop.Example:443/${id}/a/../${id}?a=${id}&b={checkout_id}&c=$&#${id}`)
    expect(body.redirectUrlCanceled).toBe('http://localhost:3000/ü?{CHECKOUT_ID')
  })

  test.each([
    ['de_DE.UTF-8@euro', 'de'],
    ['pt_BR', 'pt'],
    ['es-419', 'es'],
    ['deu', 'de'],
    ['EN', 'en'],
    ['fr-CH', 'fr'],
    ['nl-Latn-BE', 'nl'],
    ['it', 'it'],
    ['pl_PL', 'pl'],
    [null, null],
  ])('a checkout that is created with the locale %s returns the locale %s', async (sent, folded) => {
    expect((await create({ locale: sent })).body).toMatchObject({ locale: folded })
  })

  test('a checkout belongs to the given customer and has the given metadata', async () => {
    const customer = await factories.aCustomer(key)
    const { body } = await create({ customerId: customer.id, metadata: { b: 1, a: 'x' } })
    expect(body).toMatchObject({ customerId: customer.id, metadata: { b: 1, a: 'x' } })
    expect(Object.keys(body.metadata)).toEqual(['b', 'a'])
  })

  test('a checkout can have fifty lines, with one product in several lines at different prices', async () => {
    const lines = Array.from({ length: 48 }, (_, index) => ({
      id: product,
      price: factories.price(`${index}.00`),
      quantity: 1 + index,
    }))
    const { status } = await create({ products: [...lines, { id: plan, trialDays: 730 }, { id: plan, trialDays: 0 }] })
    expect(status).toBe(201)
  })

  test('a checkout can be paid after its product was archived', async () => {
    const { id } = await factories.aProduct(key)
    const checkout = await factories.aCheckout(key, id)
    await send(`POST /v1/one-off-products/${id}/archive`, { key })
    expect(await factories.pay(key, checkout)).toMatchObject({ status: 'paid' })
  })
})

describe('a refused checkout', () => {
  test('a checkout is refused for products of another storefront or mode', async () => {
    const other = await aShop()
    const otherProduct = (await factories.aProduct(other.testKey)).id
    const live = (await factories.aProduct(shop.liveKey)).id
    await approveReview(live)
    const products = [someId('subscription_plan_'), otherProduct, live].map((id) => ({ id }))
    expect(await errorsOf({ products: [{ id: product }, ...products] })).toEqual({
      'products.1.id': [unknown],
      'products.2.id': [unknown],
      'products.3.id': [unknown],
    })
    expect(await errorsOf({}, shop.liveKey)).toEqual({ 'products.0.id': [unknown] })
    expect(await errorsOf({}, other.testKey)).toEqual({ 'products.0.id': [unknown] })
  })

  test('a checkout is refused for products that are archived, pending, or rejected', async () => {
    const archived = (await factories.aPlan(key)).id
    await send(`POST /v1/subscription-plans/${archived}/archive`, { key })
    expect(await errorsOf({ products: [{ id: archived }] })).toEqual({
      'products.0.id': ['The selected product is archived.'],
    })
    await send(`DELETE /v1/subscription-plans/${archived}/archive`, { key })
    expect((await create({ products: [{ id: archived }] })).status).toBe(201)

    const live = (await factories.aPlan(shop.liveKey)).id
    const refused = (status: string) => ({
      'products.0.id': [`The selected product must be active. Its status is ${status}.`],
    })
    expect(await errorsOf({ products: [{ id: live }] }, shop.liveKey)).toEqual(refused('pending'))
    await rejectReview(live, 'No.')
    expect(await errorsOf({ products: [{ id: live }] }, shop.liveKey)).toEqual(refused('rejected'))
    await send(`PATCH /v1/subscription-plans/${live}`, { key: shop.liveKey, body: { name: 'Better' } })
    await approveReview(live)
    expect(await create({ products: [{ id: live }] }, shop.liveKey)).toMatchObject({
      status: 201,
      body: { testmode: false },
    })
  })

  test('a checkout is refused if its products have different tax behaviors, if a line exceeds the maximum amount, or if a one-off product has a trial', async () => {
    const inclusive = (await factories.aProduct(key, { taxBehavior: 'inclusive' })).id
    expect(
      await errorsOf({
        products: [
          { id: plan },
          { id: inclusive },
          { id: product, price: factories.price('999999.99'), quantity: 101 },
          { id: product, trialDays: 14 },
        ],
      }),
    ).toEqual({
      'products.1.id': ['All products of a checkout must have the same taxBehavior.'],
      'products.2.quantity': ['Price times quantity must be at most 99999999.99.'],
      'products.3.trialDays': ['Only a subscription plan can have a trial.'],
    })
    const most = { id: product, price: factories.price('100.00'), quantity: 999_999 }
    expect(
      (await create({ products: [most, { ...most, price: factories.price('999999.99'), quantity: 100 }] })).status,
    ).toBe(201)
    expect(await errorsOf({ products: [{ ...most, price: factories.price('100.01') }] })).toHaveProperty([
      'products.0.quantity',
    ])
  })

  test('a checkout is refused for a customer of another tenant, and the error mentions the mode of the API key', async () => {
    const other = await aShop()
    const sentence = 'The customer does not exist in this storefront and mode.'
    for (const as of [shop.liveKey, other.testKey]) {
      const { id } = await factories.aCustomer(as)
      expect(await errorsOf({ customerId: id })).toEqual({ customerId: [sentence] })
    }
  })
})
