import { describe, expect, it } from 'vitest'
import { aSubscription } from './examples.ts'
import { chargesAfterDebt } from './next-charge.ts'

const weekly = aSubscription({ billingInterval: { interval: 'week', intervalCount: 1 } })
const heldBack = (now: Date, isSuspended = false) => chargesAfterDebt(weekly, { now, isSuspended })
const weeks = (count: number) => new Date((weekly.renewedUntil?.getTime() ?? 0) + count * 7 * 86_400_000)

describe('periods that wait for an outstanding payment', () => {
  it.each([
    ['no period waits before one is due', -1, null, 0],
    ['one period waits when it is due', 0, 1, 1],
    ['four weekly periods wait three weeks later', 3, 4, 4],
    ['400 waiting periods are counted', 399, 400, 400],
  ])('%s', (_, after, waiting, next) => {
    const { waiting: held, nextCharge } = heldBack(weeks(after))
    expect([held?.count ?? null, new Date(nextCharge?.at ?? 0)]).toEqual([waiting, weeks(next)])
  })

  it('the waiting amount is the sum of its periods', () => {
    const one = heldBack(weeks(0)).waiting?.total.value
    expect(heldBack(weeks(2)).waiting?.total.value).toBe((Number(one) * 3).toFixed(2))
  })

  it('more than 400 waiting periods are not counted, as after a test clock moved by centuries', () => {
    const now = new Date('2999-01-01T00:00:00Z')
    const { waiting, nextCharge } = heldBack(now)
    expect([waiting, new Date(nextCharge?.at ?? 0)]).toEqual([null, now])
  })

  it('no waiting amount is shown while the storefront is suspended, because one charge follows later', () => {
    expect(heldBack(weeks(2), true)).toEqual({ waiting: null, nextCharge: null })
    expect(heldBack(weeks(-1), true)).toEqual(heldBack(weeks(-1)))
  })
})
