import { describe, expect, it } from 'vitest'
import { noticesBefore } from './notices.ts'

const day = 86_400_000
const now = new Date('2027-01-01T00:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * day)
const monthly = { interval: 'month', intervalCount: 1 } as const
const days = (...args: Parameters<typeof noticesBefore>) => noticesBefore(...args).map((each) => each.days)

describe('a trial', () => {
  it.each([
    [30, [7, 1]],
    [9, [7, 1]],
    [8, [1]],
    [7, [1]],
    [2, [1]],
    [1, []],
  ])('of %i days is announced to end %j days before', (length, expected) => {
    expect(days({ status: 'trial', renewedUntil: inDays(length), cycle: monthly }, now)).toEqual(expected)
  })

  it('is announced at the exact moment', () => {
    expect(noticesBefore({ status: 'trial', renewedUntil: inDays(30), cycle: monthly }, now)).toEqual([
      { kind: 'trial_ending', days: 7, at: inDays(23) },
      { kind: 'trial_ending', days: 1, at: inDays(29) },
    ])
  })
})

describe('a renewal', () => {
  it.each([
    ['year', 1, [30]],
    ['month', 12, [30]],
    ['month', 11, []],
    ['week', 53, [30]],
    ['week', 52, []],
    ['day', 365, [30]],
    ['day', 364, []],
  ] as const)('after a %s (%i) is announced %j days before', (interval, intervalCount, expected) => {
    const cycle = { interval, intervalCount }
    expect(days({ status: 'active', renewedUntil: inDays(365), cycle }, now)).toEqual(expected)
  })

  it('is not announced when it is near already', () => {
    const cycle = { interval: 'year', intervalCount: 1 } as const
    expect(days({ status: 'active', renewedUntil: inDays(30), cycle }, now)).toEqual([])
    expect(days({ status: 'active', renewedUntil: new Date(inDays(30).getTime() + 1000), cycle }, now)).toEqual([30])
  })

  it.each(['on_grace_period', 'paused', 'canceled', 'created'] as const)(
    'of a subscription that is %s is not',
    (status) => {
      expect(days({ status, renewedUntil: inDays(365), cycle: { interval: 'year', intervalCount: 1 } }, now)).toEqual(
        [],
      )
    },
  )
})
