import { expect, it } from 'vitest'
import { failureReasons } from '../../payments/rules/failure.ts'
import { outcomeOf } from './outcome.ts'

it('a simulation without a payment status leaves the payment pending', () => {
  for (const asked of [{}, { paymentStatus: null }, { paymentStatus: undefined, failureReason: null }])
    expect(outcomeOf(asked)).toBeNull()
})

it('a simulated successful payment has no failure reason', () => {
  expect(outcomeOf({ paymentStatus: 'paid' })).toEqual({ paymentStatus: 'paid', failureReason: null })
})

it.each(failureReasons)('a simulated failure can have the reason %s', (failureReason) => {
  expect(outcomeOf({ paymentStatus: 'failed', failureReason })).toEqual({ paymentStatus: 'failed', failureReason })
})

it('a simulated failure without a reason has the reason general_failure', () => {
  const general = { paymentStatus: 'failed', failureReason: 'general_failure' }
  expect(outcomeOf({ paymentStatus: 'failed' })).toEqual(general)
  expect(outcomeOf({ paymentStatus: 'failed', failureReason: null })).toEqual(general)
})
