import { describe, expect, it } from 'vitest'
import { aSubscription } from '../examples.ts'
import type { ScheduledUpdate } from './subscription.ts'
import { withdrawUnits } from './withdraw-units.ts'

const scheduled = (quantity: number | null): ScheduledUpdate => ({
  ...{ plan: null, price: null, quantity, anchor: null, prorate: true },
})
const { period } = aSubscription()
if (!period) throw new Error('the example has no period')

describe('a withdrawal from units of a subscription', () => {
  it('leaves the others, and what was paid for these', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 3001n } })
    const left = { ...before, quantity: 2, period: { ...period, paid: 2001n } }
    expect(withdrawUnits(before, 1, null)).toEqual(left)
    expect(withdrawUnits(before, 1, { paid: 3001n, quantity: 3 })).toEqual(left)
  })

  it.each([
    ['more units without a charge for them', 8, 4, 1000n],
    ['fewer units without a credit for the others', 3, 2, 3000n],
    ['so few units that more was refunded than is paid', 5, 4, 0n, 2000n],
  ])(
    'in the period of the sale costs what the units cost there: after %s',
    (_, quantity, units, paid, before = 5000n) => {
      const subscription = aSubscription({ quantity, period: { ...period, paid: before } })
      expect(withdrawUnits(subscription, units, { paid: 5000n, quantity: 5 })?.period?.paid).toBe(paid)
    },
  )

  it('in a trial, before any period', () => {
    const before = aSubscription({ quantity: 3, period: null })
    expect(withdrawUnits(before, 2, null)).toEqual({ ...before, quantity: 1 })
  })

  it.each([
    ['more units is one of as many more', 5, 4],
    ['fewer units is a total, and stays', 1, 1],
    ['as many units as are left changes nothing, and goes', 2, null],
    ['more units than are left, and fewer than there were, goes', 3, null, 4, 2],
  ])('a scheduled quantity of %s', (_, quantity, later, before = 3, units = 1) => {
    const subscription = aSubscription({ quantity: before, scheduledUpdate: scheduled(quantity) })
    const next = withdrawUnits(subscription, units, null)
    expect(next?.scheduledUpdate).toEqual(later === null ? null : scheduled(later))
  })

  it.each([3, 4])('leaves no subscription of 3 units after %s', (units) => {
    expect(withdrawUnits(aSubscription({ quantity: 3 }), units, null)).toBeNull()
  })
})
