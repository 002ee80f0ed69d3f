import { describe, expect, it } from 'vitest'
import { computeTax } from '../../tax/rules/index.ts'
import { type Order, orderDefaults } from './order.ts'
import { billedBy } from './other-terms.ts'

const rates = [{ name: 'VAT', percentage: '21' }]
const terms = (name: string, minor: bigint, quantity: number) => ({ name, price: { minor }, quantity })

function anOrder(unitPrice: bigint, quantity: number, { behavior = 'exclusive', credit = 0n } = {}): Order {
  const sums = computeTax({
    behavior: behavior as Order['taxBehavior'],
    rates,
    lines: [{ unitPrice, quantity }, ...(credit === 0n ? [] : [{ unitPrice: credit, quantity: 1 }])],
  })
  const lines = sums.lines.map(({ unitPrice: _, ...each }, index) => ({
    description: index === 0 ? 'Team' : 'Unused time',
    productType: 'subscription',
    productId: 'subscription_1',
    id: `order_item_${index}`,
    ...each,
  }))
  return { ...orderDefaults, ...sums, lines, taxBehavior: behavior, currency: 'EUR' } as unknown as Order
}

const figures = (order: Order | null) =>
  order && {
    subtotal: order.subtotal,
    total: order.total,
    taxSummary: order.taxSummary,
    lines: order.lines.map(({ quantity, basePrice, subtotal, total }) => ({ quantity, basePrice, subtotal, total })),
  }

describe('an unpaid order with new terms', () => {
  it.each(['exclusive', 'inclusive'])(
    'changing an unpaid order with %s tax to new terms gives the same amounts as billing the order at the new terms',
    (behavior) => {
      const repriced = billedBy(anOrder(1_100n, 3, { behavior }), terms('Team', 1_100n, 3), terms('Pro', 1_000n, 2))
      expect(figures(repriced)).toEqual(figures(anOrder(1_000n, 2, { behavior })))
    },
  )

  it('changing an unpaid order to another plan renames its line and leaves the line ids unchanged', () => {
    const repriced = billedBy(anOrder(1_100n, 1), terms('Team', 1_100n, 1), terms('Pro', 1_000n, 1))
    expect(repriced?.lines.map(({ id, description }) => [id, description])).toEqual([['order_item_0', 'Pro']])
  })

  it('an unpaid order for half a period costs half of the new price after a change to new terms', () => {
    const repriced = billedBy(anOrder(550n, 1), terms('Team', 1_100n, 1), terms('Pro', 1_000n, 1))
    expect(repriced?.subtotal).toBe(500n)
  })

  it('new terms for an unpaid order do not change the amount of a credit line', () => {
    const repriced = billedBy(anOrder(1_100n, 1, { credit: -300n }), terms('Team', 1_100n, 1), terms('Pro', 1_000n, 1))
    expect(figures(repriced)).toEqual(figures(anOrder(1_000n, 1, { credit: -300n })))
  })

  it('billedBy() returns null if the new terms of an unpaid order leave nothing to pay', () => {
    expect(billedBy(anOrder(1_100n, 1), terms('Team', 1_100n, 1), terms('Free', 0n, 1))).toBeNull()
    const credited = anOrder(1_100n, 1, { credit: -1_000n })
    expect(billedBy(credited, terms('Team', 1_100n, 1), terms('Pro', 1_000n, 1))).toBeNull()
  })

  it('billedBy() returns null if the first line of an unpaid order is a credit', () => {
    const order = anOrder(1_100n, 1, { credit: -300n })
    const reversed = { ...order, lines: order.lines.toReversed() }
    expect(billedBy(reversed, terms('Team', 1_100n, 1), terms('Pro', 1_000n, 1))).toBeNull()
  })
})
