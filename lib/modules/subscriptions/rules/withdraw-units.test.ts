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

describe('a withdrawal from units of a subscription', () => {
  const from = period.startAt
  const sold = { paid: 3001n, quantity: 3, service: { from, until: period.endAt } }

  it('a withdrawal from units leaves the others, and the amount paid for them', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 3001n } })
    expect(withdrawUnits(before, 1, sold)).toEqual({ ...before, quantity: 2, period: { ...period, paid: 2001n } })
    expect(withdrawUnits(before, 1, { ...sold, service: null }).period?.paid).toBe(2001n)
  })

  it('a withdrawal from units keeps the paid amount of a period that another order billed', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 3001n } })
    expect(withdrawUnits(before, 1, null)).toEqual({ ...before, quantity: 2 })
  })

  it('a withdrawal from units lowers the paid amount to zero at most', () => {
    const before = aSubscription({ quantity: 3, period: { ...period, paid: 100n } })
    expect(withdrawUnits(before, 1, sold).period?.paid).toBe(0n)
  })

  it('a withdrawal from units lowers the paid amount of a period with a moved end in proportion', () => {
    const half = period.seconds / 2n
    const endAt = new Date(from.getTime() + Number(half) * 1_000)
    const moved = { ...period, endAt, paid: 6002n }
    const next = withdrawUnits(aSubscription({ quantity: 3, period: moved }), 1, sold)
    expect(next.period?.paid).toBe(4002n)
  })

  it('a withdrawal from units in a trial has no paid period to lower', () => {
    const before = aSubscription({ quantity: 3, period: null })
    expect(withdrawUnits(before, 2, null)).toEqual({ ...before, quantity: 1 })
  })

  it.each([
    ['more units keeps its difference', 5, 4],
    ['fewer units stays, because it is a total', 1, 1],
    ['exactly the units that are left is dropped', 2, null],
    ['more units than are left, but fewer than before, is dropped', 3, null, 4, 2],
  ])('after a withdrawal from units, a scheduled quantity of %s', (_, quantity, later, before = 3, units = 1) => {
    const subscription = aSubscription({ quantity: before, scheduledUpdate: scheduled(quantity) })
    const next = withdrawUnits(subscription, units, null)
    expect(next.scheduledUpdate).toEqual(later === null ? null : scheduled(later))
  })
})
