import { expect, it } from 'vitest'
import { isStillSilent, nextQuestion } from './tax-id-checks.ts'

const begunAt = new Date('2026-11-23T12:00:00Z')
const after = (minutes: number) => new Date(begunAt.getTime() + minutes * 60_000)

it.each([
  [0, 5],
  [4, 5],
  [5, 10],
  [10, 20],
  [20, 40],
  [40, 80],
  [80, 140],
  [140, 200],
  [199, 200],
  [24 * 60, 24 * 60 + 20],
])(
  '%s minutes after the first check of a tax ID, the next check is due %s minutes after the first check',
  (elapsed, next) => {
    expect(nextQuestion(begunAt, after(elapsed))).toEqual(after(next))
  },
)

it('the checks of a tax ID end after 30 days', () => {
  expect(nextQuestion(begunAt, after(30 * 24 * 60 - 1))).not.toBeNull()
  expect(nextQuestion(begunAt, after(30 * 24 * 60))).toBeNull()
})

it.each([
  ['MS_UNAVAILABLE', 10, 0],
  ['VAT_BLOCKED', 24 * 60 + 5, 24 * 60],
  ['IP_BLOCKED', 24 * 60 + 5, 24 * 60],
  ['INVALID_INPUT', null, Number.POSITIVE_INFINITY],
])(
  'after the registry error %s, the next check is due %s minutes after the first check, and forms start no check for %s minutes',
  (error, next, lasts) => {
    expect(nextQuestion(begunAt, after(5), error)).toEqual(next === null ? null : after(next))
    const check = { result: 'unknown', error, checkedAt: begunAt } as const
    expect([0, 24 * 60 - 1, 24 * 60, 365 * 24 * 60].map((minutes) => isStillSilent(check, after(minutes)))).toEqual(
      [0, 24 * 60 - 1, 24 * 60, 365 * 24 * 60].map((minutes) => minutes < lasts),
    )
  },
)

it('the checks of a tax ID end after 30 days, even if the registry blocks our address', () => {
  expect(nextQuestion(begunAt, after(30 * 24 * 60), 'IP_BLOCKED')).toBeNull()
})
