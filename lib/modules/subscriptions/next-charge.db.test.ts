import { describe, expect, it } from 'vitest'
import { aSubscription } from './examples.ts'
import { chargesAfterDebt } from './next-charge.ts'

const weekly = aSubscription({ billingInterval: { interval: 'week', intervalCount: 1 } })
const heldBack = (now: Date, isSuspended = false) => chargesAfterDebt(weekly, { now, isSuspended })
const weeks = (count: number) => new Date((weekly.renewedUntil?.getTime() ?? 0) + count * 7 * 86_400_000)

describe('periods that wait for an outstanding payment', () => {
  it.each([
    ['no period waits before the first period is due', -1, null, 0],
    ['one period waits at the due time of this period', 0, 1, 1],
    ['four weekly periods wait three weeks after the first due time', 3, 4, 4],
    ['400 waiting periods are all counted', 399, 400, 400],
  ])('periods that become due wait for an outstanding payment: %s', (_, after, waiting, next) => {
    const { waiting: held, nextCharge } = heldBack(weeks(after))
    expect([held?.count ?? null, new Date(nextCharge?.at ?? 0)]).toEqual([waiting, weeks(next)])
  })

  it('if several periods wait for an outstanding payment, chargesAfterDebt() returns the sum of their amounts', () => {
    const one = heldBack(weeks(0)).waiting?.total.value
    expect(heldBack(weeks(2)).waiting?.total.value).toBe((Number(one) * 3).toFixed(2))
  })

  it('if more than 400 periods wait for an outstanding payment, chargesAfterDebt() returns no sum, and the next charge is due now', () => {
    const now = new Date('2999-01-01T00:00:00Z')
    const { waiting, nextCharge } = heldBack(now)
    expect([waiting, new Date(nextCharge?.at ?? 0)]).toEqual([null, now])
  })

  it('if the storefront is suspended when a renewal is due, chargesAfterDebt() returns neither a sum nor a next charge', () => {
    expect(heldBack(weeks(2), true)).toEqual({ waiting: null, nextCharge: null })
    expect(heldBack(weeks(-1), true)).toEqual(heldBack(weeks(-1)))
  })
})
