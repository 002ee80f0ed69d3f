import { describe, expect, test } from 'vitest'
import { createKey } from '@/lib/modules/accounts/operations.ts'
import { approveReview } from '@/lib/modules/catalog/operations.ts'
import { insertCheck } from '@/lib/modules/tax/store.ts'
import { realNow } from '@/lib/platform/clock/clock.ts'
import { newId } from '@/lib/platform/crypto/identity.ts'
import { db } from '@/lib/platform/db/db.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { send } from '@/lib/testing/api.ts'
import { aCheckout, aPlan, aProduct, pay, price } from '@/lib/testing/factories.ts'
import { aShop } from '@/lib/testing/shop.ts'

const preview = (key: string, body: object) => send('POST /v1/checkouts/preview', { key, body })

// biome-ignore lint/suspicious/noExplicitAny: an order, as the API returned it
const asPreview = ({ lines, subtotal, taxSummary, total }: any) => ({
  // biome-ignore lint/suspicious/noExplicitAny: a line, as the API returned it
  lines: lines.map(({ id, links, productType, productId, ...line }: any) => line),
  subtotal,
  taxSummary,
  total,
})

describe('a preview of a checkout', () => {
  test('a checkout preview has the amounts of the order and of the renewals, and creates nothing', async () => {
    const shop = await aShop({ at: '2027-01-31T00:00:00Z' })
    const key = shop.testKey
    const [plan, book] = [await aPlan(key, { basePrice: price('10.00') }), await aProduct(key)]
    const products = [
      { id: plan.id, quantity: 3 },
      { id: book.id, price: price('19.99') },
    ]
    const before = await allRows()
    const { status, body } = await preview(key, { products, country: 'DE' })
    expect(status).toBe(200)
    expect(await allRows()).toEqual(before)
    const { currency, recurring, ...shown } = body
    expect(currency).toBe('EUR')
    expect(recurring).toEqual([
      {
        subscriptionPlanId: plan.id,
        quantity: 3,
        interval: 'month',
        intervalCount: 1,
        firstChargeAt: expect.stringMatching(/^2027-01-31T00:0\d:\d\dZ$/),
        subtotal: price('30.00'),
        taxSummary: [expect.objectContaining({ amount: price('5.70') })],
        total: price('35.70'),
      },
    ])
    expect(shown.lines.map(({ productId }: { productId: string }) => productId)).toEqual([plan.id, book.id])
    const paid = await pay(key, await aCheckout(key, plan.id, { products }), { country: 'DE' })
    const order = (await send(`GET /v1/orders/${paid.orderId}`, { key })).body
    expect(asPreview(shown)).toEqual(asPreview(order))
  })

  test('the preview of a checkout with a trial has a total of zero, and a first charge at the end of the trial', async () => {
    const { testKey: key } = await aShop({ at: '2027-01-31T00:00:00Z' })
    const { id } = await aPlan(key)
    const { body } = await preview(key, { products: [{ id, trialDays: 14 }], country: 'NL' })
    expect(body).toMatchObject({
      total: price('0.00'),
      lines: [{ productType: 'auth_request_product', productId: null, total: price('0.00') }],
      recurring: [{ firstChargeAt: expect.stringMatching(/^2027-02-14T00:0/), total: price('12.10') }],
    })
  })

  test('the amounts of a checkout preview depend on the country, the tax ID, and the currency', async () => {
    const { testKey: key } = await aShop()
    const { id } = await aPlan(key, { basePrice: price('100.00') })
    const of = async (choice: object) => (await preview(key, { products: [{ id }], ...choice })).body
    expect(await of({ country: 'NL' })).toMatchObject({ total: price('121.00') })
    expect(await of({ country: 'DE', taxId: 'DE 123-456-789' })).toMatchObject({ total: price('100.00') })
    expect(await of({ country: 'US', currency: 'USD' })).toMatchObject({
      currency: 'USD',
      lines: [{ subtotal: { currency: 'USD' } }],
      recurring: [{ total: { currency: 'USD' } }],
    })
  })

  test('a checkout preview accepts a read-only API key, and ignores an idempotency key', async () => {
    const shop = await aShop()
    const { id } = await aPlan(shop.testKey)
    const { key } = await createKey({ ...shop.scope, scope: 'read_only' })
    const headers = { 'idempotency-key': 'the-same' }
    for (const country of ['NL', 'DE']) {
      const body = { products: [{ id }], country }
      expect((await send('POST /v1/checkouts/preview', { key, body, headers })).status).toBe(200)
    }
  })
})

describe('a preview of a checkout is refused', () => {
  test('a checkout preview is refused for products of another storefront or mode, and for products with different tax behaviors', async () => {
    const [shop, other] = [await aShop(), await aShop()]
    const key = shop.testKey
    const [plan, gross] = [await aPlan(key), await aPlan(key, { taxBehavior: 'inclusive' })]
    const foreign = await aPlan(other.testKey)
    for (const ids of [[foreign.id], [plan.id, gross.id]]) {
      const products = ids.map((id) => ({ id }))
      const reply = await preview(key, { products, country: 'NL' })
      const created = await send('POST /v1/checkouts', {
        key,
        body: { products, redirectUrlSuccess: 'https://x.example/', redirectUrlCanceled: 'https://x.example/' },
      })
      expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: created.body.errors } })
    }
    expect(await preview(shop.liveKey, { products: [{ id: plan.id }], country: 'NL' })).toMatchObject({ status: 422 })
  })

  test('the error of a checkout preview reports all invalid fields together', async () => {
    const { testKey: key } = await aShop()
    const { id } = await aPlan(key)
    const body = { products: [{ id }], country: 'DE', taxId: 'FR1', currency: 'USD' }
    expect(await preview(key, body)).toMatchObject({
      status: 422,
      body: {
        errors: {
          taxId: [expect.stringMatching(/^Must be a tax ID of DE/)],
          currency: ['Buyers in DE are not offered USD. Offered: EUR.'],
        },
      },
    })
    expect(await preview(key, { ...body, products: [] })).toMatchObject({
      status: 422,
      body: { errors: { products: expect.anything(), taxId: expect.anything(), currency: expect.anything() } },
    })
    expect(await preview(key, { products: [{ id }] })).toMatchObject({
      body: { errors: { country: expect.anything() } },
    })
  })

  test('in test mode, a checkout preview refuses a Greek tax ID with the prefix EL, and the error names the prefix GR', async () => {
    const { testKey: key, liveKey } = await aShop()
    const { id } = await aPlan(key)
    const refusalOf = async (taxId: string) => {
      const { body } = await preview(key, { products: [{ id }], country: 'GR', taxId })
      return body.errors?.taxId
    }
    expect(await refusalOf('EL094259216')).toEqual([
      'Must be a tax ID of GR, such as GR123456789. Live mode accepts this tax ID. In test mode, a tax ID begins with GR.',
    ])
    expect(await refusalOf('EL123')).toEqual(['Must be a tax ID of GR, such as GR123456789.'])
    expect(await refusalOf('GR094259216')).toBeUndefined()
    const { body } = await preview(liveKey, { products: [], country: 'GR', taxId: 'EL123' })
    expect(body.errors.taxId).toEqual(['Must be a tax ID of GR, such as EL123456789.'])
  })

  test('a checkout preview is refused while the storefront is suspended', async () => {
    const shop = await aShop()
    const { id } = await aPlan(shop.testKey)
    await db().storefronts.update({
      where: { id: shop.storefrontId },
      data: { suspended_at: new Date(), suspended_reason: 'Suspected fraud' },
    })
    expect(await preview(shop.testKey, { products: [{ id }], country: 'NL' })).toMatchObject({
      status: 403,
      body: { code: 'storefront_suspended' },
    })
  })
})

describe('in live mode', () => {
  test('in live mode, a checkout preview has no tax for a well-formed tax ID unless the registry has rejected it', async () => {
    const shop = await aShop()
    const { id } = await aPlan(shop.liveKey, { basePrice: price('100.00') })
    await approveReview(id)
    const of = (taxId: string) => preview(shop.liveKey, { products: [{ id }], country: 'DE', taxId })
    const before = await db().tax_id_checks.count()
    expect((await of('DE136695976')).body).toMatchObject({ total: price('100.00') })
    expect(await db().tax_id_checks.count()).toBe(before)
    const checkedAt = realNow()
    await insertCheck(
      db(),
      { storefrontId: shop.storefrontId, testmode: false },
      {
        ...{ id: newId('check_', checkedAt), checkoutId: null, customerId: null, taxId: 'DE136695976', source: 'vies' },
        ...{ checkedAt, result: 'invalid', name: null, address: null, consultationNumber: null, error: null },
      },
    )
    expect((await of('DE136695976')).body).toMatchObject({ total: price('119.00') })
    expect(await of('DE136695975')).toMatchObject({ status: 422, body: { errors: { taxId: expect.anything() } } })
  })
})
