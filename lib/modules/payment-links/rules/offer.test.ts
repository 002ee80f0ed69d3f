import { expect, it } from 'vitest'
import type { Product } from '../../catalog/rules/index.ts'
import { itemsOf, offerOf } from './offer.ts'
import type { PaymentLink } from './payment-link.ts'

const now = new Date('2026-12-01T00:00:00Z')
const item = { quantity: 3, range: null, price: null, trialDays: null, metadata: null }
const link = {
  id: 'payment_link_1',
  testmode: true,
  redirectUrlSuccess: null,
  locale: 'de',
  metadata: '{"a":1}',
  items: [
    { ...item, productId: 'plan', price: 900n, trialDays: 14, metadata: '{"b":2}' },
    { ...item, productId: 'book' },
  ],
} as unknown as PaymentLink
const product = (id: string) =>
  ({
    id,
    taxBehavior: 'inclusive',
    terms: { name: id, price: { minor: 1_000n, currency: 'EUR' }, billingInterval: null },
  }) as Product
const products = new Map(['plan', 'book'].map((id) => [id, product(id)]))

it('an offer of a payment link uses the chosen quantity of each item, or the default quantity if none was chosen', () => {
  expect(itemsOf(link, [7])).toEqual([
    { id: 'plan', quantity: 7, price: { minor: 900n, currency: 'EUR' }, trialDays: 14, metadata: '{"b":2}' },
    { id: 'book', quantity: 3, price: null, trialDays: null, metadata: null },
  ])
})

it('a payment link offer has one line per item, with the item’s own price or the current price of the product', () => {
  expect(offerOf(link, products, [7, 2], now)).toMatchObject({
    testmode: true,
    status: 'created',
    taxBehavior: 'inclusive',
    paymentLinkId: 'payment_link_1',
    locale: 'de',
    metadata: '{"a":1}',
    lines: [
      { id: '0', productId: 'plan', unitPrice: 900n, quantity: 7, trialDays: 14 },
      { id: '1', productId: 'book', unitPrice: 1_000n, quantity: 2, trialDays: null },
    ],
  })
})
