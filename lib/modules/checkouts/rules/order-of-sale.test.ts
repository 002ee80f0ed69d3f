import { describe, expect, it } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import type { Subscription } from '../../subscriptions/rules/index.ts'
import type { Buyer } from './buyer.ts'
import type { Checkout, CheckoutLine } from './checkout.ts'
import { orderOfSale, withSubscriptions } from './order-of-sale.ts'
import { quoteSale } from './quote.ts'

const now = new Date('2026-11-20T10:00:00Z')
const month = { interval: 'month', intervalCount: 1 } as const
const line = (id: string, differences: Partial<CheckoutLine> = {}) =>
  ({
    id,
    productId: `product of ${id}`,
    name: `Name of ${id}`,
    unitPrice: 1_000n,
    quantity: 1,
    billingInterval: null,
    trialDays: null,
    ...differences,
  }) as CheckoutLine
const buyer = { email: 'ada@example.com', paymentMethod: 'ideal', details: { fullName: 'Ada', country: 'US' } } as Buyer
const seller = {
  name: 'Seller',
  street: 'Street 1',
  postalCode: '1015 CN',
  city: 'Amsterdam',
  country: 'NL',
  vatId: null,
}

function sell(lines: CheckoutLine[], currency = 'EUR') {
  const checkout = {
    id: 'checkout_1',
    testmode: true,
    customerId: null,
    taxBehavior: 'exclusive',
    metadata: '{"a":1}',
    lines,
  } as unknown as Checkout
  const quote = quoteSale(checkout, { country: 'US', taxId: null, currency, sellerCountry: 'NL' }, now)
  const lineIds = quote.due.lines.map((_, index) => `order_item_${index}`)
  return {
    checkout,
    order: orderOfSale({
      checkout,
      quote,
      buyer,
      seller,
      locale: 'en',
      withdrawal: { kind: 'service', beginsAtOnce: true },
      id: 'order_1',
      createdAt: now,
      lineIds,
      verification: 'Verification',
    }),
  }
}

describe('the order of a sale', () => {
  it('the order of a sale is unpaid, has no number, and copies the checkout’s data', () => {
    expect(sell([line('a')]).order).toMatchObject({
      id: 'order_1',
      checkoutId: 'checkout_1',
      status: 'created',
      invoice: null,
      withdrawal: { kind: 'service', beginsAtOnce: true },
      paidAt: null,
      metadata: '{"a":1}',
      paymentMethod: 'ideal',
      customerDetails: { email: 'ada@example.com', fullName: 'Ada', country: 'US' },
      seller,
    })
  })

  it('the order total is the sum of its lines, and each line refers to its product', () => {
    const { order } = sell([line('a', { quantity: 3 }), line('b', { billingInterval: month })])
    expect(order.lines).toMatchObject([
      {
        id: 'order_item_0',
        description: 'Name of a',
        productType: 'one_off_product',
        productId: 'product of a',
        subtotal: 3_000n,
      },
      {
        id: 'order_item_1',
        description: 'Name of b',
        productType: 'subscription_plan',
        productId: 'product of b',
        subtotal: 1_000n,
      },
    ])
    expect(order.total).toBe(sum(order.lines.map(({ total }) => total)))
    expect(order.total - order.subtotal).toBe(sum(order.taxSummary.map(({ amount }) => amount)))
  })

  it('the order stores the exchange rate of its currency', () => {
    expect(sell([line('a')]).order).toMatchObject({ currency: 'EUR', exchangeRate: null })
    expect(sell([line('a')], 'USD').order).toMatchObject({
      currency: 'USD',
      subtotal: 1_085n,
      exchangeRate: { rate: '1.0850', source: 'built_in', on: null },
    })
  })

  it('an order that contains only trials has one line, which verifies the payment method', () => {
    expect(sell([line('a', { billingInterval: month, trialDays: 14 })]).order).toMatchObject({
      total: 0n,
      lines: [
        { description: 'Verification', productType: 'auth_request_product', productId: null, quantity: 1, total: 0n },
      ],
    })
  })

  it('the lines of an order refer to their subscriptions, and an item in a trial has no line', () => {
    const { order, checkout } = sell([
      line('trial', { billingInterval: month, trialDays: 14 }),
      line('a'),
      line('b', { billingInterval: month }),
    ])
    const subscriptions = ['trial', 'b'].map(
      (id) => ({ id: `subscription of ${id}`, checkoutLineId: id }) as Subscription,
    )
    expect(withSubscriptions(order, checkout, subscriptions)).toMatchObject([
      { productType: 'one_off_product', productId: 'product of a' },
      { productType: 'subscription', productId: 'subscription of b' },
    ])
    expect(withSubscriptions(order, checkout, [])).toEqual(order.lines)
  })
})
