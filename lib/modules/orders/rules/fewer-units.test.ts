import { describe, expect, it } from 'vitest'
import { computeTax } from '../../tax/rules/index.ts'
import { fewerUnits } from './fewer-units.ts'
import { type Order, type OrderLine, orderDefaults } from './order.ts'

const rates = [{ name: 'VAT', percentage: '21' }]

function anOrder(
  quantity: number,
  { behavior = 'exclusive', change = null as object | null, credit = -333n } = {},
): Order {
  const sums = computeTax({
    behavior: behavior as Order['taxBehavior'],
    rates,
    lines: [
      { unitPrice: 1_001n, quantity },
      { unitPrice: credit, quantity: 1 },
    ],
  })
  const line = { description: 'Pro', productType: 'subscription', productId: 'subscription_1' }
  const lines = sums.lines.map(({ unitPrice: _, ...each }, index) => ({
    ...line,
    id: `order_item_${index}`,
    onInvoice: { description: null, service: null, change },
    ...each,
  }))
  return { ...orderDefaults, ...sums, lines, taxBehavior: behavior, currency: 'EUR' } as unknown as Order
}

const figures = ({ lines, subtotal, total, taxSummary }: Order) => ({
  subtotal,
  total,
  taxSummary,
  lines: lines.map(({ quantity, basePrice, subtotal, total, taxes }: OrderLine) => [
    ...[quantity, basePrice, subtotal, total, taxes],
  ]),
})

describe('an unpaid order with fewer units', () => {
  it.each(['exclusive', 'inclusive'])(
    'reducing the units of an order with %s tax gives the same amounts as a sale of the lower quantity',
    (behavior) => {
      const { order: fewer, before } = fewerUnits(anOrder(3, { behavior }), 1) ?? {}
      expect(fewer && figures(fewer)).toEqual(figures(anOrder(2, { behavior })))
      expect(fewer?.lines.map(({ id }) => id)).toEqual(['order_item_0', 'order_item_1'])
      expect(before).toMatchObject({ id: 'order_item_0', quantity: 3 })
    },
  )

  it('fewerUnits() returns null for an order that would have no units left', () => {
    expect(fewerUnits(anOrder(3), 3)).toBeNull()
    expect(fewerUnits(anOrder(1), 1)).toBeNull()
  })

  it('fewerUnits() returns null if the first line of the order is a credit, or if a credit exceeds the reduced amount', () => {
    const order = anOrder(3)
    expect(fewerUnits({ ...order, lines: order.lines.toReversed() }, 1)).toBeNull()
    expect(fewerUnits(anOrder(3, { credit: -1_001n }), 2)).toBeNull()
  })

  it('removing one of 3 units turns the quantity change from 1 to 3 into 1 to 2, and deletes the quantity change from 2 to 3', () => {
    const changeOf = (from: number) => {
      const change = { plan: null, price: null, quantity: { from, to: 3 } }
      return fewerUnits(anOrder(3, { change }), 1)?.order.lines[0]?.onInvoice?.change
    }
    expect(changeOf(1)).toEqual({ plan: null, price: null, quantity: { from: 1, to: 2 } })
    expect(changeOf(2)).toBeNull()
  })

  it('if units of an order line are removed, the quantity changes of the other lines stay unchanged', () => {
    const change = { plan: null, price: null, quantity: { from: 2, to: 3 } }
    expect(fewerUnits(anOrder(3, { change }), 1)?.order.lines[1]?.onInvoice?.change).toEqual(change)
  })
})
