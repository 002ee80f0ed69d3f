import { describe, expect, it } from 'vitest'
import { reverseCharge } from '../../tax/rules/index.ts'
import { anOrder } from '../examples.ts'
import { reversalOf } from './credit-note.ts'
import { type OrderLine, refundableSubtotal } from './order.ts'
import { asInvoiced, leftOf, reverseAll, reverseGross } from './reverse.ts'
import { bearsCorrectableTax, correctedParts, replacementOf, taxLeft } from './tax-correction.ts'

const rate = { name: 'VAT', percentage: '19' }
const line = (id: string, subtotal: bigint, tax: bigint, quantity = 1): OrderLine => ({
  id,
  description: `Line ${id}`,
  quantity,
  basePrice: '25.00',
  subtotal,
  total: subtotal + tax,
  taxes: [{ rate, amount: tax }],
  productType: 'one_off_product',
  productId: 'one_off_product_1',
  metadata: null,
  onInvoice: null,
})
const order = anOrder({ lines: [line('a', 7_500n, 1_425n, 3), line('b', 2_500n, 475n)] })
const replaced = { ...order, replacedById: 'order_2' }
const sold = new Date('2026-11-20T00:00:00Z')

describe('the possibility of a tax correction', () => {
  it.each([
    ['the tax of a paid sale can be corrected', {}, true],
    ['the tax of a credit note cannot be corrected', { creditedOrderId: 'order_0' }, false],
    ['the tax of a replacement invoice cannot be corrected', { replacesOrderId: 'order_0' }, false],
    ['the tax of an invoice cannot be corrected twice', { replacedById: 'order_0' }, false],
    ['the tax of an unpaid order cannot be corrected', { status: 'pending', paidAt: null, invoice: null }, false],
    ['an order without tax cannot be corrected', { total: 10_000n }, false],
  ] as const)(
    'only a paid sale with tax and without a replacement invoice can be corrected: %s',
    (_, differences, expected) => {
      expect(bearsCorrectableTax(anOrder(differences), sold)).toBe(expected)
    },
  )

  it.each([
    ['2029-11-20T00:00:00Z', true],
    ['2029-11-20T00:00:01Z', false],
  ])('a tax correction is possible until three years after the payment (at %s: %s)', (at, expected) => {
    expect(bearsCorrectableTax(order, new Date(at))).toBe(expected)
  })
})

describe('a correction', () => {
  it('a tax correction reverses the remaining amount of the order and returns the tax on this amount', () => {
    const parts = correctedParts(leftOf(order, []))
    expect(parts?.all.map(({ subtotal, taxes }) => [subtotal, taxes[0]?.amount])).toEqual([
      [7_500n, 1_425n],
      [2_500n, 475n],
    ])
    expect(parts?.tax.map(({ subtotal, taxes }) => [subtotal, taxes[0]?.amount])).toEqual([
      [0n, 1_425n],
      [0n, 475n],
    ])
  })

  it('a tax correction excludes the amount of earlier refunds', () => {
    const left = leftOf(order, [{ orderLineId: 'a', subtotal: 7_500n, taxes: [{ rate, amount: 1_425n }] }])
    expect(taxLeft(left)).toBe(475n)
    expect(correctedParts(left)?.all.map(({ line: { id }, subtotal }) => [id, subtotal])).toEqual([['b', 2_500n]])
  })

  it.each([
    ['no amount', 10_000n, 1_900n],
    ['no tax', 5_000n, 1_900n],
  ])('the invoice of an order is not corrected if %s remains', (_, subtotal, amount) => {
    expect(correctedParts(leftOf(order, [{ orderLineId: 'a', subtotal, taxes: [{ rate, amount }] }]))).toBeNull()
  })

  it('the replacement invoice of a tax correction has a reverse charge and cannot be refunded', () => {
    const given = { lineIds: ['1', '2'], describe: () => ({ description: '', invoiceDescription: null }) }
    const rest = reversalOf(order, reverseAll(leftOf(order, [])), given)
    const number = { scope: 'live', number: 'INV-2026-000002' }
    const withdrawal = { kind: 'service', beginsAtOnce: true } as const
    const ofSubscription = { ...order, subscriptionId: 'subscription_1', withdrawal, refundingSubtotal: 100n }
    const replacement = replacementOf(ofSubscription, rest, { id: 'order_2', lineIds: ['x', 'y'], number, now: sold })
    expect(replacement).toMatchObject({
      replacesOrderId: order.id,
      // The replacement has no checkout, subscription, right of withdrawal, or refunds, because these stay with the
      // original order.
      checkoutId: null,
      subscriptionId: null,
      withdrawal: null,
      refundingSubtotal: 0n,
      invoice: number,
      subtotal: 10_000n,
      total: 10_000n,
      taxSummary: [{ rate: reverseCharge, amount: 0n }],
      lines: [
        { id: 'x', description: 'Line a', quantity: 3, basePrice: '25.00', subtotal: 7_500n, total: 7_500n },
        { id: 'y', description: 'Line b', quantity: 1, subtotal: 2_500n, productId: null },
      ],
    })
    expect(refundableSubtotal(replacement)).toBe(0n)
    expect(refundableSubtotal(replaced)).toBe(10_000n)
  })
})

describe('an order whose invoice was replaced', () => {
  it('a refund of an order with a replaced invoice returns no tax', () => {
    expect(asInvoiced(order)).toBe(order)
    const left = leftOf(replaced, [{ orderLineId: 'a', subtotal: 0n, taxes: [{ rate, amount: 1_425n }] }])
    expect(left).toMatchObject({ subtotal: 10_000n, taxes: [{ rate: reverseCharge, amount: 0n }] })
    expect(reverseAll(left).map(({ subtotal, taxes }) => [subtotal, taxes])).toEqual([
      [7_500n, [{ rate: reverseCharge, amount: 0n }]],
      [2_500n, [{ rate: reverseCharge, amount: 0n }]],
    ])
  })

  it.each([
    [11_900n, 10_000n],
    [10_000n, 10_000n],
    [4_000n, 4_000n],
  ])('a dispute of %s cents about an order with a replaced invoice reverses %s cents', (gross, net) => {
    const parts = reverseGross(replaced, leftOf(replaced, []), gross)
    expect(parts.reduce((total, { subtotal }) => total + subtotal, 0n)).toBe(net)
  })
})
