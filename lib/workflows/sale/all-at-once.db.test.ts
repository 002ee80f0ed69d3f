import { beforeAll, describe, expect, it } from 'vitest'
import * as checkouts from '@/app/v1/checkouts/route.ts'
import * as plans from '@/app/v1/subscription-plans/route.ts'
import { aCatalogue, aShop, call, type Shop } from '../../testing/shop.ts'

let shop: Shop
let planId: string

beforeAll(async () => {
  shop = await aShop()
  planId = (await aCatalogue(shop)).planId
})

describe('a request with several invalid fields', () => {
  it('the response to a checkout request reports all malformed values and wrong references together', async () => {
    const reply = await call(checkouts.POST, 'POST', '/v1/checkouts', {
      key: shop.testKey,
      body: {
        products: [{ id: planId, quantity: 0 }, { id: `one_off_product_${'0'.repeat(22)}` }, { id: planId }],
        redirectUrlSuccess: 'javascript:alert(1)',
        customerId: `customer_${'0'.repeat(22)}`,
        locale: 'tlh',
      },
    })
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors).sort()).toEqual([
      'customerId',
      'locale',
      'products.0.quantity',
      'products.1.id',
      'redirectUrlCanceled',
      'redirectUrlSuccess',
    ])
  })

  it('the response to a plan request reports all invalid fields together, including an interval that live mode does not allow', async () => {
    const body = { name: 'x', description: '', interval: 'day', intervalCount: 1, productType: 'ebook' }
    const live = await call(plans.POST, 'POST', '/v1/subscription-plans', { key: shop.liveKey, body })
    expect(Object.keys(live.body.errors).sort()).toEqual([
      'basePrice',
      'description',
      'interval',
      'name',
      'productType',
    ])
    const test = await call(plans.POST, 'POST', '/v1/subscription-plans', {
      key: shop.testKey,
      body: { ...body, intervalCount: 400 },
    })
    expect(test.body.errors).toMatchObject({ intervalCount: ['Must be at most 365 when interval is "day".'] })
  })
})
