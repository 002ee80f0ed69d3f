import { expect, it } from 'vitest'
import { failureReasons } from '../../payments/rules/failure.ts'
import { outcomeOf } from './outcome.ts'

it('a request that names no outcome leaves the outcome open', () => {
  for (const asked of [{}, { paymentStatus: null }, { paymentStatus: undefined, failureReason: null }])
    expect(outcomeOf(asked)).toBeNull()
})

it('a payment has no reason', () => {
  expect(outcomeOf({ paymentStatus: 'paid' })).toEqual({ paymentStatus: 'paid', failureReason: null })
})

it.each(failureReasons)('a failure may be for %s', (failureReason) => {
  expect(outcomeOf({ paymentStatus: 'failed', failureReason })).toEqual({ paymentStatus: 'failed', failureReason })
})

it('a failure without a reason is a general one', () => {
  const general = { paymentStatus: 'failed', failureReason: 'general_failure' }
  expect(outcomeOf({ paymentStatus: 'failed' })).toEqual(general)
  expect(outcomeOf({ paymentStatus: 'failed', failureReason: null })).toEqual(general)
})
