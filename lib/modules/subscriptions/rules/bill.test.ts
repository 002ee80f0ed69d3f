import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import { aSubscription, euros } from '../examples.ts'
import { type BillingLine, orderOf, priceLines } from './bill.ts'
import { renew } from './renew.ts'
import type { MandateMethod, ProrationLine, Subscription } from './subscription.ts'

const now = new Date('2025-07-01T00:00:00Z')
const span = { from: new Date('2025-06-16T00:00:00Z'), until: now }
const unused = (amount: bigint): ProrationLine => ({ kind: 'unused', name: 'Basic', quantity: 1, ...span, amount })
const remaining = (amount: bigint): ProrationLine => ({ kind: 'remaining', name: 'Pro', quantity: 1, ...span, amount })
const period = (unitPrice: bigint, quantity = 1): BillingLine => ({
  kind: 'period',
  name: 'Basic',
  unitPrice,
  quantity,
})
const seller = {
  name: 'Seller',
  street: 'Street 1',
  postalCode: '1015 CN',
  city: 'Amsterdam',
  country: 'NL',
  vatId: null,
}

const ordered = (subscription: Subscription, lines: readonly BillingLine[], on = now) =>
  orderOf(subscription, lines, {
    id: 'order_1',
    lineIds: lines.map((_, index) => `order_item_${index}`),
    seller,
    email: 'ada@example.com',
    now: on,
    exchangeRate: null,
    describe: ({ kind }) => ({
      description: `the ${kind}`,
      invoiceDescription: kind === 'period' ? null : `the ${kind} on paper`,
    }),
  })
const billedTo = (differences: Partial<Subscription['billingAddress']>, others: Partial<Subscription> = {}) => {
  const subscription = aSubscription(others)
  return { ...subscription, billingAddress: { ...subscription.billingAddress, ...differences } }
}

describe('the order of a renewal', () => {
  it('the order of a renewal contains a line for the period and the deferred proration lines, and is taxed on their sum', () => {
    const subscription = aSubscription()
    const seats = { plan: null, quantity: { from: 3, to: 5 }, price: null }
    const charged = { ...remaining(15_000n), change: seats }
    const order = ordered(subscription, [period(10_000n, 2), unused(-5_000n), charged])
    const vat = { name: 'VAT', percentage: '19' }
    const line = (id: number, fields: object) => ({
      id: `order_item_${id}`,
      productType: 'subscription',
      productId: subscription.id,
      ...fields,
    })
    expect(order).toEqual({
      id: 'order_1',
      testmode: true,
      checkoutId: null,
      subscriptionId: subscription.id,
      customerId: subscription.customerId,
      status: 'created',
      paymentMethod: 'creditcard',
      currency: 'EUR',
      vatStatedIn: null,
      exchangeRate: null,
      taxBehavior: 'exclusive',
      subtotal: 30_000n,
      total: 35_700n,
      reversedSubtotal: 0n,
      refundingSubtotal: 0n,
      creditedOrderId: null,
      replacesOrderId: null,
      replacedById: null,
      correctedAt: null,
      withdrawal: null,
      taxSummary: [{ rate: vat, amount: 5_700n }],
      lines: [
        line(0, {
          description: 'the period',
          quantity: 2,
          basePrice: '100.00',
          subtotal: 20_000n,
          total: 23_800n,
          taxes: [{ rate: vat, amount: 3_800n }],
          metadata: null,
          onInvoice: {
            description: null,
            service: { from: subscription.period?.startAt, until: subscription.period?.endAt },
            change: null,
          },
        }),
        line(1, {
          description: 'the unused',
          quantity: 1,
          basePrice: '-50.00',
          subtotal: -5_000n,
          total: -5_950n,
          taxes: [{ rate: vat, amount: -950n }],
          metadata: null,
          onInvoice: { description: 'the unused on paper', service: span, change: null },
        }),
        line(2, {
          description: 'the remaining',
          quantity: 1,
          basePrice: '150.00',
          subtotal: 15_000n,
          total: 17_850n,
          taxes: [{ rate: vat, amount: 2_850n }],
          metadata: null,
          onInvoice: { description: 'the remaining on paper', service: span, change: seats },
        }),
      ],
      customerDetails: { ...subscription.billingAddress, email: 'ada@example.com' },
      seller,
      locale: 'en',
      metadata: null,
      invoice: null,
      createdAt: now,
      paidAt: null,
    })
  })

  it('a renewal at a tax-inclusive price is billed with a net amount computed from the gross amount', () => {
    const order = ordered(aSubscription({ taxBehavior: 'inclusive' }), [
      period(2_999n),
      unused(-1_500n),
      remaining(5_000n),
    ])
    expect(order).toMatchObject({ taxBehavior: 'inclusive', subtotal: 5_461n, total: 6_499n })
    expect(order.lines.map(({ total }) => total)).toEqual([2_999n, -1_500n, 5_000n])
  })

  it('the order of a renewal uses the currency and the prices of the subscription without conversion', () => {
    const dollars = aSubscription({ price: { minor: 10_850n, currency: 'USD' } })
    expect(ordered(dollars, [period(10_850n)])).toMatchObject({ currency: 'USD', subtotal: 10_850n, total: 12_912n })
  })

  it.each([
    ['card', 'creditcard'],
    ['paypal', 'paypal'],
    ['sepa_debit', 'directdebit'],
    ['bacs_debit', 'directdebit'],
  ] as [MandateMethod, string][])(
    'the order of a renewal on a %s mandate states the payment method %s',
    (method, paymentMethod) => {
      const mandate = {
        id: 'mandate_1',
        provider: 'sandbox',
        method,
        maskedIdentifier: '1',
        reference: null,
        status: 'valid',
      } as const
      expect(ordered(aSubscription({ mandate }), [period(1n)]).paymentMethod).toBe(paymentMethod)
      expect(ordered(aSubscription({ mandate: null }), [period(1n)]).paymentMethod).toBeNull()
    },
  )
})

describe('the tax of a renewal', () => {
  it.each([
    ['in Germany is German VAT', { country: 'DE' }, [{ rate: { name: 'VAT', percentage: '19' }, amount: 1_900n }]],
    [
      'for a company in Germany is a reverse charge',
      { country: 'DE', taxId: 'DE1' },
      [{ rate: { name: 'Reverse charge', percentage: '0' }, amount: 0n }],
    ],
    [
      'for a company in the seller’s country is VAT',
      { country: 'NL', taxId: 'NL1' },
      [{ rate: { name: 'VAT', percentage: '21' }, amount: 2_100n }],
    ],
    [
      'in Canada is GST and QST',
      { country: 'CA' },
      [
        { rate: { name: 'GST', percentage: '5' }, amount: 500n },
        { rate: { name: 'QST', percentage: '9.975' }, amount: 998n },
      ],
    ],
    [
      'without a country is the flat rate',
      { country: null },
      [{ rate: { name: 'VAT', percentage: '20' }, amount: 2_000n }],
    ],
  ])('the tax of a renewal %s', (_, details, taxSummary) => {
    expect(ordered(billedTo(details), [period(10_000n)]).taxSummary).toEqual(taxSummary)
  })

  it('the tax of a renewal uses the tax rate on the day of the charge', () => {
    const rateOn = (moment: string) =>
      ordered(billedTo({ country: 'EE' }), [period(10_000n)], new Date(moment)).taxSummary[0]?.rate.percentage
    expect([rateOn('2025-06-30T23:59:59Z'), rateOn('2025-07-01T00:00:00Z')]).toEqual(['22', '24'])
  })

  it('the preview of a renewal has the same tax as the order of the renewal', () => {
    const subscription = aSubscription()
    const lines = [period(10_000n), unused(-1_234n), remaining(5_678n)]
    const { total, subtotal, taxSummary } = ordered(subscription, lines)
    expect(priceLines(subscription, lines, { sellerCountry: 'NL', on: now })).toMatchObject({
      total,
      subtotal,
      taxSummary,
    })
  })
})

it('an order for the verification of a payment method has one line of 0.00 and one tax line of zero', () => {
  const order = ordered(aSubscription(), [{ kind: 'verification', amount: 0n }])
  expect(order).toMatchObject({ subtotal: 0n, total: 0n, taxSummary: [{ amount: 0n }] })
  expect(order.lines).toMatchObject([
    {
      quantity: 1,
      basePrice: '0.00',
      total: 0n,
      taxes: [{ amount: 0n }],
      productType: 'billing_details_verification',
      productId: null,
    },
  ])
})

it('the lines and taxes of any order sum to its totals', () => {
  const amount = fc.bigInt({ min: 0n, max: 99_999_999n })
  const proration = fc.tuple(amount, amount).map((pair) => {
    const [credit, charge] = pair[0] < pair[1] ? pair : [pair[1], pair[0]]
    return [unused(-credit), remaining(charge)]
  })
  const quantity = fc.integer({ min: 1, max: 999 })
  const country = fc.constantFrom('DE', 'NL', 'CA', 'FI', 'US', 'CH')
  const behavior = fc.constantFrom('exclusive' as const, 'inclusive' as const)
  fc.assert(
    fc.property(
      fc.tuple(amount, quantity, country, behavior, fc.array(proration, { maxLength: 4 })),
      ([price, seats, home, taxBehavior, prorations]) => {
        const parked = prorations.flat()
        const before = billedTo({ country: home }, { price: euros(price), quantity: seats, taxBehavior, parked })
        const { next, lines } = renew(before, { due: now, now })
        const order = ordered(next, lines)
        const expected = price * BigInt(seats) + sum(parked.map((line) => line.amount))
        expect(taxBehavior === 'exclusive' ? order.subtotal : order.total).toBe(expected)
        expect(sum(order.lines.map((line) => line.total))).toBe(order.total)
        expect(sum(order.lines.map((line) => line.subtotal))).toBe(order.subtotal)
        expect(sum(order.taxSummary.map((tax) => tax.amount))).toBe(order.total - order.subtotal)
        expect(order.subtotal >= 0n && order.total >= order.subtotal).toBe(true)
        for (const line of order.lines)
          expect(line.total).toBe(line.subtotal + sum(line.taxes.map((tax) => tax.amount)))
      },
    ),
  )
})
