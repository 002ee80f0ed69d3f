import { describe, expect, it } from 'vitest'
import { computeTax } from '../../tax/rules/index.ts'
import { fewerUnits } from './fewer-units.ts'
import { type Order, type OrderLine, orderDefaults } from './order.ts'

const rates = [{ name: 'VAT', percentage: '21' }]

/** An order of a period of `quantity` units, and of an unused rest. */
function anOrder(quantity: number, { behavior = 'exclusive', change = null as object | null } = {}): Order {
  const sums = computeTax({
    behavior: behavior as Order['taxBehavior'],
    rates,
    lines: [
      { unitPrice: 1_001n, quantity },
      { unitPrice: -333n, quantity: 1 },
    ],
  })
  const line = { description: 'Pro', productType: 'subscription', productId: 'subscription_1' }
  const lines = sums.lines.map(({ unitPrice: _, ...each }, index) => ({
    ...{ ...line, id: `order_item_${index}`, onInvoice: { description: null, service: null, change } },
    ...each,
  }))
  return { ...orderDefaults, ...sums, lines, taxBehavior: behavior, currency: 'EUR' } as unknown as Order
}

const figures = ({ lines, subtotal, total, taxSummary }: Order) => ({
  ...{ subtotal, total, taxSummary },
  lines: lines.map(({ quantity, basePrice, subtotal, total, taxes }: OrderLine) => [
    ...[quantity, basePrice, subtotal, total, taxes],
  ]),
})

describe('an unpaid order with fewer units', () => {
  it.each(['exclusive', 'inclusive'])('is as if it had been billed so: %s', (behavior) => {
    const fewer = fewerUnits(anOrder(3, { behavior }), { from: 3, to: 2 })
    expect(fewer && figures(fewer)).toEqual(figures(anOrder(2, { behavior })))
    expect(fewer?.lines.map(({ id }) => id)).toEqual(['order_item_0', 'order_item_1'])
  })

  it('is none where it bills no such period', () => {
    expect(fewerUnits(anOrder(3), { from: 5, to: 2 })).toBeNull()
    expect(fewerUnits(anOrder(1), { from: 1, to: 1 })).toBeNull()
  })

  it('mentions the change of the quantity that is left of it', () => {
    const changeOf = (from: number) => {
      const change = { plan: null, price: null, quantity: { from, to: 3 } }
      return fewerUnits(anOrder(3, { change }), { from: 3, to: 2 })?.lines[0]?.onInvoice?.change
    }
    expect(changeOf(1)).toEqual({ plan: null, price: null, quantity: { from: 1, to: 2 } })
    expect(changeOf(2)).toBeNull()
  })
})
