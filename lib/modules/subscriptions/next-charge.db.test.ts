import { describe, expect, it } from 'vitest'
import { aSubscription } from './examples.ts'
import { chargesHeldBack } from './next-charge.ts'

const weekly = aSubscription({ billingInterval: { interval: 'week', intervalCount: 1 } })
const weeks = (count: number) => new Date((weekly.renewedUntil?.getTime() ?? 0) + count * 7 * 86_400_000)

describe('what an outstanding payment holds back', () => {
  it.each([
    ['before a period is due', -1, null, 0],
    ['when one is due', 0, 1, 1],
    ['three weeks later', 3, 4, 4],
    ['as many as a page counts', 399, 400, 400],
  ])('%s', (_, after, waiting, next) => {
    const { waiting: held, nextCharge } = chargesHeldBack(weekly, weeks(after))
    expect([held?.count ?? null, new Date(nextCharge?.at ?? 0)]).toEqual([waiting, weeks(next)])
  })

  it('is the sum of its periods', () => {
    const one = chargesHeldBack(weekly, weeks(0)).waiting?.total.value
    expect(chargesHeldBack(weekly, weeks(2)).waiting?.total.value).toBe((Number(one) * 3).toFixed(2))
  })

  it('is not counted beyond what a page can wait for, where a test clock was moved by centuries', () => {
    const now = new Date('2999-01-01T00:00:00Z')
    const { waiting, nextCharge } = chargesHeldBack(weekly, now)
    expect([waiting, new Date(nextCharge?.at ?? 0)]).toEqual([null, now])
  })
})
