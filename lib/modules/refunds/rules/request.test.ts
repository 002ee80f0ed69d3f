import { describe, expect, it, test } from 'vitest'
import type { Refusal } from '../../../kernel/refusal.ts'
import { anOrder } from '../../orders/examples.ts'
import type { Order, OrderLine } from '../../orders/rules/order.ts'
import { leftOf } from '../../orders/rules/reverse.ts'
import { notRefundable, partsOf } from './request.ts'

const rate = { name: 'VAT', percentage: '20' }
const line = (id: string, subtotal: bigint): OrderLine => ({
  id,
  description: id,
  quantity: 1,
  basePrice: '',
  subtotal,
  total: (subtotal * 12n) / 10n,
  taxes: [{ rate, amount: subtotal / 5n }],
  productType: 'one_off_product',
  productId: null,
  metadata: null,
  onInvoice: null,
})
const order = (lines: OrderLine[], differences: Partial<Order> = {}): Order => {
  const subtotal = lines.reduce((sum, each) => sum + each.subtotal, 0n)
  return anOrder({
    lines,
    subtotal,
    total: (subtotal * 12n) / 10n,
    taxSummary: [{ rate, amount: subtotal / 5n }],
    ...differences,
  })
}
const two = order([line('a', 10_000n), line('b', 5_000n)])
const item = (itemId: string, minor: bigint, currency: 'EUR' | 'USD' = 'EUR') => ({
  itemId,
  amount: { minor, currency },
})
const problems = (of: Order, items: Parameters<typeof partsOf>[2], reversed: Parameters<typeof leftOf>[1] = []) => {
  try {
    return partsOf(of, leftOf(of, reversed), items)
  } catch (error) {
    return (error as Refusal).on
  }
}

describe('a request for a refund', () => {
  it('a refund request states amounts before tax', () => {
    expect(partsOf(two, leftOf(two, []), [item('b', 1_000n)])).toMatchObject([
      { line: { id: 'b' }, subtotal: 1_000n, taxes: [{ amount: 200n }] },
    ])
  })

  it('a refund request sums several items of one line', () => {
    const parts = partsOf(two, leftOf(two, []), [item('b', 1n), item('b', 2n)])
    expect(parts).toMatchObject([{ line: { id: 'b' }, subtotal: 3n, taxes: [{ amount: 1n }] }])
  })

  test.each([
    ['an amount above the line', [item('b', 5_001n)], { 'items.0.amount': ['line, before tax: 50.00 EUR.'] }],
    [
      'two items that together exceed the line',
      [item('b', 3_000n), item('b', 3_000n)],
      { 'items.1.amount': ['line, before tax: 20.00 EUR.'] },
    ],
    ['a line of another order', [item('x', 1n)], { 'items.0.itemId': ['The order has no line with this id.'] }],
    [
      'a line of another order in another currency',
      [item('x', 1n, 'USD')],
      { 'items.0.itemId': ['no line'], 'items.0.amount.currency': ['EUR'] },
    ],
    ['an item in another currency', [item('a', 1n, 'USD')], { 'items.0.amount.currency': ['own currency, EUR.'] }],
    [
      'a request with several mistakes',
      [item('x', 1n), item('a', 10_001n), item('b', 1n, 'USD')],
      { 'items.0.itemId': ['no line'], 'items.1.amount': ['100.00 EUR'], 'items.2.amount.currency': ['EUR'] },
    ],
  ])('a refund request is refused: %s', (_, items, expected) => {
    const found = problems(two, items)
    expect(Object.keys(found)).toEqual(Object.keys(expected))
    for (const [field, sentences] of Object.entries(expected)) {
      expect((found as Record<string, string[]>)[field]).toEqual(sentences.map((each) => expect.stringContaining(each)))
    }
  })

  it('a refused item does not reduce the refundable amount of other items', () => {
    expect(problems(two, [item('a', 10_001n), item('b', 5_000n), item('a', 10_000n)])).toEqual({
      'items.0.amount': ['Must be at most the refundable amount of the line, before tax: 100.00 EUR.'],
    })
    const prorated = order([line('new', 10_000n), line('credit', -4_000n)])
    expect(problems(prorated, [item('new', 5_000n), item('new', 2_000n)])).toEqual({
      'items.1.amount': ['Must be at most the refundable amount of the order, before tax: 10.00 EUR.'],
    })
  })

  it('a refund is limited to lines with a positive amount and to the order’s total', () => {
    const prorated = order([line('new', 10_000n), line('credit', -4_000n)])
    expect(problems(prorated, [item('credit', 1n)])).toEqual({
      'items.0.itemId': ['Only a line with an amount above 0.00 can be refunded.'],
    })
    expect(problems(prorated, [item('new', 6_001n)])).toEqual({
      'items.0.amount': ['Must be at most the refundable amount of the order, before tax: 60.00 EUR.'],
    })
  })

  it('a refund is limited to the amount that remains after earlier refunds and disputes', () => {
    const before = [{ orderLineId: 'b', subtotal: 4_000n, taxes: [{ rate, amount: 800n }] }]
    expect(problems(two, [item('b', 1_001n)], before)).toEqual({
      'items.0.amount': ['Must be at most the refundable amount of the line, before tax: 10.00 EUR.'],
    })
  })
})

test.each([
  ['a paid order can be refunded', {}, null],
  ['a pending order cannot be refunded', { status: 'pending' as const }, 'is pending'],
  ['a canceled order cannot be refunded', { status: 'canceled' as const }, 'is canceled'],
  ['a credit note cannot be refunded', { creditedOrderId: 'order_2' }, 'credit note'],
  ['an order of 0.00 cannot be refunded', { total: 0n, subtotal: 0n, lines: [] }, 'a total of 0.00'],
])('only a paid order with a total above 0.00 can be refunded: %s', (_, differences, reason) => {
  const of = { ...two, ...differences }
  const refusal = notRefundable(of, leftOf(of, []))
  if (reason === null) expect(refusal).toBeNull()
  else expect(String(refusal)).toContain(reason)
})

test('an order cannot be refunded again after a full refund', () => {
  const all = two.lines.map(({ id, subtotal, taxes }) => ({ orderLineId: id, subtotal, taxes }))
  expect(notRefundable(two, leftOf(two, all))?.rule).toBe('refunded_in_full')
})
