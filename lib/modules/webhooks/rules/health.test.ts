import { describe, expect, it } from 'vitest'
import { healthState, successRate } from './health.ts'

const early = new Date('2027-01-01T10:00:00Z')
const late = new Date('2027-01-01T10:00:01Z')

describe('state', () => {
  it.each([
    ['without events', [], late, early, 'disabled'],
    ['without attempts', ['order.paid'], null, null, 'unused'],
    ['with successes only', ['order.paid'], early, null, 'working'],
    ['with failures only', ['order.paid'], null, early, 'failing'],
    ['with a failure after the last success', ['order.paid'], early, late, 'failing'],
    ['with a success after the last failure', ['order.paid'], late, early, 'working'],
    ['with a success and a failure at the same time', ['order.paid'], late, late, 'working'],
  ] as const)('the health state of an endpoint %s is $4', (_, enabledEvents, lastSucceededAt, lastFailedAt, state) => {
    expect(healthState({ enabledEvents, lastSucceededAt, lastFailedAt })).toBe(state)
  })
})

describe('success rate', () => {
  it.each([
    [0, 0, null],
    [0, 3, 0],
    [3, 0, 1000],
    [2, 1, 666],
    [99_999, 1, 999],
    [1, 99_999, 0],
  ])('the success rate of %i successes and %i failures is %j tenths of a percent', (succeeded, failed, rate) => {
    expect(successRate({ succeeded, failed })).toBe(rate)
  })
})
