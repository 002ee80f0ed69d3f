import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { smaller, sum } from '../../../kernel/money.ts'
import { computeTax, type TaxAmount, type TaxBehavior } from '../../tax/rules/index.ts'
import { anOrder } from '../examples.ts'
import type { Order, OrderLine } from './order.ts'
import {
  leftOf,
  type Part,
  type Reversed,
  reverseAll,
  reverseGross,
  reverseLines,
  taxSummaryOf,
  totalOf,
} from './reverse.ts'

const vat = [{ name: 'VAT', percentage: '21' }]
const half = [{ name: 'VAT', percentage: '50' }]
const canada = [
  { name: 'GST', percentage: '5' },
  { name: 'QST', percentage: '9.975' },
]

function order(unitPrices: bigint[], rates = vat, behavior: TaxBehavior = 'exclusive'): Order {
  const taxed = computeTax({ behavior, rates, lines: unitPrices.map((unitPrice) => ({ unitPrice, quantity: 1 })) })
  const lines = taxed.lines.map(
    ({ unitPrice: _, ...line }, index): OrderLine => ({
      ...line,
      id: `line_${index}`,
      description: 'Seat',
      productType: 'one_off_product',
      productId: null,
      metadata: null,
      onInvoice: null,
    }),
  )
  const { subtotal, total, taxSummary } = taxed
  return anOrder({ subtotal, total, taxSummary, lines })
}

const asReversed = (parts: readonly Part[]): Reversed[] =>
  parts.map(({ line, subtotal, taxes }) => ({ orderLineId: line.id, subtotal, taxes }))
const taxes = (parts: readonly Part[]) => parts.map((part) => part.taxes.map(({ amount }) => amount))

function refunded(of: Order, amounts: bigint[]): bigint[][] {
  const before: Reversed[] = []
  return amounts.map((amount) => {
    const parts = reverseLines(leftOf(of, before), new Map([['line_0', amount]]))
    before.push(...asReversed(parts))
    return taxes(parts)[0] ?? []
  })
}

describe('the tax of refunds', () => {
  test.each([
    ['three refunds of about a third each', order([10_000n]), [3_333n, 3_333n, 3_334n], [[700n], [700n], [700n]]],
    [
      'two halves of a sale to Canada',
      order([10_000n], canada),
      [5_000n, 5_000n],
      [
        [250n, 499n],
        [250n, 499n],
      ],
    ],
    ['two halves of 1.00', order([100n]), [50n, 50n], [[11n], [10n]]],
    [
      'an amount for Canada in three unequal parts',
      order([10_000n], canada),
      [1_111n, 2_222n, 6_667n],
      [
        [56n, 111n],
        [111n, 222n],
        [333n, 665n],
      ],
    ],
    ['an inclusive price', order([2_999n], vat, 'inclusive'), [1_000n, 1_479n], [[210n], [310n]]],
    ['refunds of one cent each', order([3n], half), [1n, 1n, 1n], [[1n], [1n], [0n]]],
    [
      'a refund that empties a line returns the remaining tax of the line',
      order([100n, 100n], [{ name: 'VAT', percentage: '10' }]),
      [33n, 33n, 34n],
      [[3n], [3n], [4n]],
    ],
    [
      'a line with less remaining tax than its proportional tax',
      order([4n, 4n], half),
      [1n, 1n, 1n],
      [[1n], [1n], [0n]],
    ],
    ['a reverse charge', order([10_000n], [{ name: 'Reverse charge', percentage: '0' }]), [1n, 9_999n], [[0n], [0n]]],
  ])(
    'partial refunds return the proportional tax, and the last refund returns the remaining tax: %s',
    (_, of, amounts, expected) => {
      expect(refunded(of, amounts)).toEqual(expected)
    },
  )

  it('a refund returns the proportional tax of a line, or all remaining tax if no amount remains', () => {
    const of = order([50n, 50n, 50n]) // The taxes of the three lines are 0.11, 0.11, and 0.10.
    const first = reverseLines(
      leftOf(of, []),
      new Map([
        ['line_0', 25n],
        ['line_2', 50n],
      ]),
    )
    expect(taxes(first)).toEqual([[6n], [10n]])
    const rest = reverseAll(leftOf(of, asReversed(first)))
    expect(rest.map(({ line, subtotal }) => [line.id, subtotal])).toEqual([
      ['line_0', 25n],
      ['line_1', 50n],
    ])
    expect(taxes(rest)).toEqual([[5n], [11n]])
  })

  it('refunds stay within the order’s total if the order has a proration credit', () => {
    const of = order([10_000n, -4_000n])
    const left = leftOf(of, [])
    expect(left).toMatchObject({ subtotal: 6_000n, lines: [{ subtotal: 10_000n }] })
    const first = reverseLines(left, new Map([['line_0', 2_000n]]))
    expect(taxes(first)).toEqual([[420n]])
    expect(reverseAll(leftOf(of, asReversed(first)))).toMatchObject([{ subtotal: 4_000n, taxes: [{ amount: 840n }] }])
  })

  it('a refund that reduces the total of an order to zero returns the exact remaining tax', () => {
    const of = order([50n, 50n, -50n]) // The order total is 0.50 plus 0.11 tax. The taxes of its lines are 0.11, 0.10, and -0.10.
    for (const id of ['line_0', 'line_1']) {
      expect(taxes(reverseLines(leftOf(of, []), new Map([[id, 50n]])))).toEqual([[11n]])
    }
  })

  it('rounding a refund across lines leaves no line with negative tax', () => {
    const of = order([50n, 50n, -50n])
    const whole = asReversed(reverseLines(leftOf(of, []), new Map([['line_1', 50n]])))
    expect([of.lines[1]?.taxes[0]?.amount, whole[0]?.taxes[0]?.amount]).toEqual([10n, 11n])
    expect(leftOf(of, whole).lines[1]?.taxes).toMatchObject([{ amount: 0n }])
  })

  it('a full refund is divided among the lines in proportion to their remaining amounts', () => {
    const of = order([20_000n, 15_000n, -5_000n])
    expect(reverseAll(leftOf(of, [])).map(({ subtotal }) => subtotal)).toEqual([17_143n, 12_857n])
  })
})

describe('a disputed amount', () => {
  test.each([
    ['half of a sale to Canada', order([10_000n], canada), 5_749n, 5_000n, [250n, 499n]],
    ['a third of a sale to Canada', order([10_000n], canada), 3_333n, 2_899n, [145n, 289n]],
    ['a cent', order([10_000n]), 1n, 1n, [0n]],
    ['the whole order', order([10_000n]), 12_100n, 10_000n, [2_100n]],
    ['more than the whole order', order([10_000n]), 99_999n, 10_000n, [2_100n]],
    ['an amount whose net is rounded half up', order([50n]), 31n, 25n, [6n]],
  ])('a disputed amount is divided into net and tax in proportion: %s', (_, of, gross, subtotal, expected) => {
    const [part] = reverseGross(of, leftOf(of, []), gross)
    expect(part).toMatchObject({ subtotal })
    expect(part?.taxes.map(({ amount }) => amount)).toEqual(expected)
  })

  it('a dispute above the remaining amount of the order reverses exactly the remaining amount', () => {
    const of = order([100n])
    const before = asReversed(reverseLines(leftOf(of, []), new Map([['line_0', 50n]])))
    expect(reverseGross(of, leftOf(of, before), 121n)).toMatchObject([{ subtotal: 50n, taxes: [{ amount: 10n }] }])
    expect(reverseGross(of, leftOf(of, asReversed(reverseAll(leftOf(of, [])))), 121n)).toEqual([])
  })

  test.each([
    ['no tax if refunds already returned all tax', order([6n], half), [1n, 1n, 1n], 2n, 2n, [0n]],
    [
      'tax of the second rate if no tax of the first rate remains',
      order([40n], canada),
      [10n, 10n],
      17n,
      15n,
      [0n, 2n],
    ],
  ])('a dispute reverses %s', (_, of, refunds, gross, subtotal, expected) => {
    const before: Reversed[] = []
    for (const amount of refunds)
      before.push(...asReversed(reverseLines(leftOf(of, before), new Map([['line_0', amount]]))))
    const [part] = reverseGross(of, leftOf(of, before), gross)
    expect(part).toMatchObject({ subtotal })
    expect(part?.taxes.map(({ amount }) => amount)).toEqual(expected)
  })

  it('a dispute is divided among the lines in proportion to their remaining amounts', () => {
    const of = order([3_000n, 1_000n])
    expect(
      reverseGross(of, leftOf(of, []), 2_420n).map(({ subtotal, taxes: [tax] }) => [subtotal, tax?.amount]),
    ).toEqual([
      [1_500n, 315n],
      [500n, 105n],
    ])
  })

  it('if rounding leaves one cent of tax after a dispute, the next reversal returns this cent', () => {
    const of = order([1n], [{ name: 'VAT', percentage: '100' }])
    const before = asReversed(reverseGross(of, leftOf(of, []), 1n))
    expect(before).toMatchObject([{ subtotal: 1n, taxes: [{ amount: 0n }] }])
    expect(reverseGross(of, leftOf(of, before), 1n)).toMatchObject([{ subtotal: 0n, taxes: [{ amount: 1n }] }])
  })
})

describe('all reversals, in any order', () => {
  const prices = fc.array(fc.bigInt({ min: 1n, max: 50_000n }), { minLength: 1, maxLength: 5 })
  const credits = fc.array(fc.bigInt({ min: 0n, max: 900n }), { maxLength: 2 })
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom('lines', 'lines', 'lines', 'gross', 'all'),
      part: fc.integer({ min: 1, max: 1000 }),
      line: fc.nat(4),
      second: fc.nat(4),
      won: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  const orders = fc
    .record({
      prices,
      credits,
      rates: fc.constantFrom(vat, canada, [{ name: 'VAT', percentage: '25.5' }]),
      behavior: fc.constantFrom<TaxBehavior>('exclusive', 'inclusive'),
    })
    .map(({ prices, credits, rates, behavior }) => {
      // The credits are smaller than the sum of the prices, so the order total is positive.
      const most = sum(prices)
      const taken = credits.map((part) => -((most * part) / 2000n)).filter((amount) => amount < 0n)
      return order([...prices, ...taken], rates, behavior)
    })
    .filter(({ subtotal }) => subtotal > 0n)

  it('all reversals add up to the amounts of the order, and no reversal exceeds a line or the tax of a rate', () => {
    fc.assert(
      fc.property(orders, steps, (of, steps) => {
        let before: Reversed[][] = []
        const counted = () => before.flat()
        for (const { kind, part, line, second, won } of steps) {
          const left = leftOf(of, counted())
          if (left.subtotal === 0n) break
          const parts = take(of, left, { kind, part, line, second })
          const summary = taxSummaryOf(of, parts)
          expect(sum(parts.map(totalOf))).toBe(sum(parts.map(({ subtotal }) => subtotal)) + sum(amounts(summary)))
          before.push(asReversed(parts))
          if (won && before.length > 1) before = before.slice(1) // A won chargeback or a failed refund no longer counts as a reversal.
          holds(of, leftOf(of, counted()))
        }
        const rest = reverseAll(leftOf(of, counted()))
        const all = leftOf(of, [...counted(), ...asReversed(rest)])
        expect(all.subtotal).toBe(0n)
        expect(amounts(all.taxes).every((amount) => amount === 0n)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  const amounts = (taxes: readonly TaxAmount[]) => taxes.map(({ amount }) => amount)

  function take(
    of: Order,
    left: ReturnType<typeof leftOf>,
    { kind, part, line, second }: { kind: string; part: number; line: number; second: number },
  ): Part[] {
    if (kind === 'all') return reverseAll(left)
    if (kind === 'gross') {
      const gross = (of.total * BigInt(part)) / 1000n + 1n
      const parts = reverseGross(of, left, gross)
      const most = left.subtotal + sum(amounts(left.taxes))
      expect(sum(parts.map(totalOf))).toBe(gross < most ? gross : most)
      return parts
    }
    const asked = new Map<string, bigint>()
    let most = left.subtotal
    for (const nth of new Set([line % left.lines.length, second % left.lines.length])) {
      const target = left.lines[nth]
      const within = target && smaller(target.subtotal, most)
      if (!target || !within) continue
      const amount = (within * BigInt(part)) / 1000n
      asked.set(target.line.id, amount)
      most -= amount
    }
    const parts = reverseLines(left, asked)
    expect(sum(parts.map(({ subtotal }) => subtotal))).toBe(sum(asked.values()))
    return parts
  }

  function holds(of: Order, left: ReturnType<typeof leftOf>): void {
    expect(left.subtotal >= 0n).toBe(true)
    expect(amounts(left.taxes).every((amount) => amount >= 0n)).toBe(true)
    expect(left.lines.every(({ subtotal }) => subtotal >= 0n)).toBe(true)
    // A line can differ from its exact amount by a cent only if another line of the order is negative.
    if (of.lines.some(({ subtotal }) => subtotal < 0n)) return
    expect(left.lines.every(({ taxes }) => amounts(taxes).every((amount) => amount >= 0n))).toBe(true)
    expect(sum(left.lines.map(({ subtotal }) => subtotal))).toBe(left.subtotal)
  }
})
