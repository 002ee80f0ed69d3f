import { describe, expect, it } from 'vitest'
import { failureReasons } from '../../payments/rules/failure.ts'
import { daysUntilEnd, kindOf, reminderAt, schedules } from './schedule.ts'

describe('the recovery schedule', () => {
  it('after a soft decline, the order is charged again on days 2, 7, 14, and 21', () => {
    let day = 0
    const days = schedules.soft.map(({ daysAfterPreviousStep, does }) => {
      day += daysAfterPreviousStep
      return [day, does]
    })
    expect(days).toEqual([
      [0, 'email'],
      [2, 'charge'],
      [7, 'charge'],
      [14, 'charge'],
      [21, 'charge'],
    ])
  })

  it('daysUntilEnd() returns the number of days from a step of a recovery to the end of the recovery', () => {
    expect([1, 2, 3, 4, 5].map((done) => daysUntilEnd('soft', done))).toEqual([21, 19, 14, 7, 0])
    expect([1, 2, 3, 4].map((done) => daysUntilEnd('hard', done))).toEqual([7, 4, 1, 0])
  })
})

describe('a decline', () => {
  const soft = ['insufficient_funds', 'temporary_decline', 'general_failure']

  it.each(failureReasons)('a decline for %s is soft if and only if the reason can be temporary', (reason) => {
    expect(kindOf(reason)).toBe(soft.includes(reason) ? 'soft' : 'hard')
  })
})

it.each([
  [1, 1],
  [2, 2],
  [3, 3],
] as const)('after a hard decline, the reminder after step %i is number %i of three', (stepsDone, reminder) => {
  expect(reminderAt('hard', stepsDone)).toBe(reminder)
})
