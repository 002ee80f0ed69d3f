import { describe, expect, it, test } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import type { Refusal } from '../../../kernel/refusal.ts'
import { anOrder } from '../../orders/examples.ts'
import type { Order, OrderLine } from '../../orders/rules/order.ts'
import { leftOf, type Reversed, totalOf } from '../../orders/rules/reverse.ts'
import { everything, partsOfSum, type RefundSum } from './by-amount.ts'

const line = (id: string, subtotal: bigint, percentage: bigint): OrderLine => ({
  id,
  description: id,
  quantity: 1,
  basePrice: '',
  subtotal,
  total: subtotal + (subtotal * percentage) / 100n,
  taxes: [{ rate: { name: 'VAT', percentage: `${percentage}` }, amount: (subtotal * percentage) / 100n }],
  productType: 'one_off_product',
  productId: null,
  metadata: null,
  onInvoice: null,
})
const order = (lines: OrderLine[], differences: Partial<Order> = {}): Order => {
  const subtotal = sum(lines.map((each) => each.subtotal))
  const total = sum(lines.map((each) => each.total))
  const [first] = lines
  const taxSummary = first ? first.taxes.map(({ rate }) => ({ rate, amount: total - subtotal })) : []
  return anOrder({ lines, subtotal, total, taxSummary, ...differences })
}
/** Two lines of 100.00 and 50.00 plus 21 % tax. The total is 181.50. */
const two = order([line('a', 10_000n, 21n), line('b', 5_000n, 21n)])
const amount = (value: bigint, includesTax = true): RefundSum => ({ of: 'amount', value, includesTax })
const share = (value: bigint): RefundSum => ({ of: 'share', value, includesTax: true })
const returned = (asked: RefundSum, of = two, reversed: readonly Reversed[] = []) =>
  partsOfSum(of, leftOf(of, reversed), asked).map(({ line: { id }, subtotal, taxes }) => [
    id,
    subtotal,
    sum(taxes.map((tax) => tax.amount)),
  ])
const before: Reversed[] = [{ orderLineId: 'a', subtotal: 10_000n, taxes: two.lines[0]?.taxes ?? [] }]

describe('a refund of an amount', () => {
  test.each<[string, RefundSum, unknown[]]>([
    [
      'half of the order',
      share(5_000n),
      [
        ['a', 5_000n, 1_050n],
        ['b', 2_500n, 525n],
      ],
    ],
    [
      'an amount with tax, to the cent',
      amount(1_000n),
      [
        ['a', 551n, 116n],
        ['b', 275n, 58n],
      ],
    ],
    [
      'an amount before tax',
      amount(1_000n, false),
      [
        ['a', 667n, 140n],
        ['b', 333n, 70n],
      ],
    ],
    ['one cent with tax', amount(1n), [['a', 1n, 0n]]],
    ['one cent before tax', amount(1n, false), [['a', 1n, 0n]]],
    [
      'the whole order with tax',
      amount(18_150n),
      [
        ['a', 10_000n, 2_100n],
        ['b', 5_000n, 1_050n],
      ],
    ],
    [
      'the whole order before tax',
      amount(15_000n, false),
      [
        ['a', 10_000n, 2_100n],
        ['b', 5_000n, 1_050n],
      ],
    ],
    [
      'the whole order as a share of 100 %',
      share(10_000n),
      [
        ['a', 10_000n, 2_100n],
        ['b', 5_000n, 1_050n],
      ],
    ],
  ])('the refund of %s is divided among the lines in proportion to their remaining amounts', (_, asked, parts) => {
    expect(returned(asked)).toEqual(parts)
    if (asked.of === 'amount' && asked.includesTax)
      expect(sum(partsOfSum(two, leftOf(two, []), asked).map(totalOf))).toBe(asked.value)
  })

  it('a refund of an amount skips lines that were already refunded in full', () => {
    expect(returned(amount(605n), two, before)).toEqual([['b', 500n, 105n]])
    expect(returned(everything(leftOf(two, before)), two, before)).toEqual([['b', 5_000n, 1_050n]])
  })

  it('if a percentage of an order rounds to one cent more than the remaining amount, the refund returns the remaining amount', () => {
    const odd = order([line('a', 101n, 0n)])
    const half: Reversed[] = [{ orderLineId: 'a', subtotal: 51n, taxes: [] }]
    expect(returned(share(5_000n), odd, half)).toEqual([['a', 50n, 0n]])
  })

  test.each<[string, RefundSum, readonly Reversed[], RegExp]>([
    ['more than the remaining amount with tax', amount(18_151n), [], /with tax: 181.50 EUR/],
    ['more than the remaining amount before tax', amount(15_001n, false), [], /before tax: 150.00 EUR/],
    ['a share above the remaining amount', share(5_000n), before, /with tax: 60.50 EUR/],
    ['an amount of 0.00', amount(0n), [], /from 0.01 to/],
  ])('a refund of %s is refused', (_, asked, reversed, sentence) => {
    expect(problem(asked, two, reversed)).toEqual({ amount: [expect.stringMatching(sentence)] })
  })

  it('a refund is refused if it would return only tax', () => {
    const taxed = order([line('a', 100n, 300n)])
    expect(problem(amount(1n), taxed)).toEqual({ amount: [expect.stringMatching(/tax only/)] })
  })

  it('a refund of an unpaid order is refused', () => {
    expect(problem(amount(1n), order([line('a', 100n, 0n)], { status: 'pending' }))).toHaveProperty('orderId')
  })
})

function problem(asked: RefundSum, of: Order, reversed: readonly Reversed[] = []) {
  try {
    return returned(asked, of, reversed)
  } catch (error) {
    return (error as Refusal).on
  }
}
