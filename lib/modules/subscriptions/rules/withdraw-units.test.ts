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
    expect(withdrawUnits(before, 1)).toEqual({ ...before, quantity: 2, period: { ...period, paid: 2001n } })
  })

  it('in a trial, before any period', () => {
    const before = aSubscription({ quantity: 3, period: null })
    expect(withdrawUnits(before, 2)).toEqual({ ...before, quantity: 1 })
  })

  it.each([
    [null, null],
    [5, 4],
    [1, 1],
  ])('lowers a scheduled quantity of %s to %s', (quantity, lowered) => {
    const next = withdrawUnits(aSubscription({ quantity: 3, scheduledUpdate: scheduled(quantity) }), 1)
    expect(next?.scheduledUpdate).toEqual(scheduled(lowered))
  })

  it.each([3, 4])('leaves no subscription of 3 units after %s', (units) => {
    expect(withdrawUnits(aSubscription({ quantity: 3 }), units)).toBeNull()
  })
})
