import { describe, expect, it } from 'vitest'
import { aSubscription } from '../examples.ts'
import type { ScheduledUpdate } from './subscription.ts'
import { withdrawUnits } from './withdraw-units.ts'

const scheduled = (quantity: number | null): ScheduledUpdate => ({
  plan: null,
  price: null,
  quantity,
  anchor: null,
  prorate: true,
})
const { period } = aSubscription()
if (!period) throw new Error('the example has no period')

describe('a partial withdrawal from a subscription', () => {
  const from = period.startAt
  const sold = { paid: 3001n, quantity: 3, service: { from, until: period.endAt } }

  it('a partial withdrawal does not change the remaining units or the amount paid for them', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 3001n } })
    expect(withdrawUnits(before, 1, sold)).toEqual({ ...before, quantity: 2, period: { ...period, paid: 2001n } })
    expect(withdrawUnits(before, 1, { ...sold, service: null }).period?.paid).toBe(2001n)
  })

  it('a partial withdrawal from one order does not change the paid amount of a period that a different order billed', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 3001n } })
    expect(withdrawUnits(before, 1, null)).toEqual({ ...before, quantity: 2 })
  })

  it('a partial withdrawal sets the paid amount to zero if the withdrawn units cost more than the paid amount', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 100n } })
    expect(withdrawUnits(before, 1, sold).period?.paid).toBe(0n)
  })

  it('if the end of a period was moved, a partial withdrawal scales the deducted price of the withdrawn units to a full period', () => {
    const half = period.seconds / 2n
    const endAt = new Date(from.getTime() + Number(half) * 1_000)
    const moved = { ...period, endAt, paid: 6002n }
    const next = withdrawUnits(aSubscription({ quantity: 3, period: moved }), 1, sold)
    expect(next.period?.paid).toBe(4002n)
  })

  it('a partial withdrawal in a trial changes only the quantity', () => {
    const before = aSubscription({ quantity: 3, period: null })
    expect(withdrawUnits(before, 2, null)).toEqual({ ...before, quantity: 1 })
  })

  it.each([
    ['an increase is reduced by the withdrawn units', 5, 4],
    ['a decrease to fewer units than remain does not change', 1, 1],
    ['a quantity that equals the remaining units is removed', 2, null],
    ['a decrease that exceeds the remaining units is removed', 3, null, 4, 2],
  ])(
    'a partial withdrawal adjusts a scheduled quantity to the remaining units: %s',
    (_, quantity, later, before = 3, units = 1) => {
      const subscription = aSubscription({ quantity: before, scheduledUpdate: scheduled(quantity) })
      const next = withdrawUnits(subscription, units, null)
      expect(next.scheduledUpdate).toEqual(later === null ? null : scheduled(later))
    },
  )
})
