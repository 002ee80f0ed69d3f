import { describe, expect, it } from 'vitest'
import { healthState, successRate } from './health.ts'

const early = new Date('2027-01-01T10:00:00Z')
const late = new Date('2027-01-01T10:00:01Z')

describe('state', () => {
  it.each([
    ['without events', 'disabled', [], late, early],
    ['without attempts', 'unused', ['order.paid'], null, null],
    ['with successes only', 'working', ['order.paid'], early, null],
    ['with failures only', 'failing', ['order.paid'], null, early],
    ['with a failure after the last success', 'failing', ['order.paid'], early, late],
    ['with a success after the last failure', 'working', ['order.paid'], late, early],
    ['with a success and a failure at the same time', 'working', ['order.paid'], late, late],
  ] as const)('the health state of an endpoint %s is %s', (_, state, enabledEvents, lastSucceededAt, lastFailedAt) => {
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
