import { expect, it } from 'vitest'
import { kindOf } from '../../recovery/rules/schedule.ts'
import { debitReturnOf, returnCodes } from './returned-debit.ts'

it.each([
  ['AM04', 'soft'],
  ['MS03', 'soft'],
  ['AC01', 'hard'],
  ['AC04', 'hard'],
  ['AC06', 'hard'],
  ['MS02', 'hard'],
  ['AG01', 'hard'],
  ['RC01', 'hard'],
  ['MD07', 'hard'],
])('a debit that is returned with %s begins a %s recovery', (code, kind) => {
  const means = debitReturnOf(code)
  expect(means && 'failed' in means && kindOf(means.failed)).toBe(kind)
})

it.each([
  ['MD06', 'subscription_canceled'],
  ['SL01', 'subscription_canceled'],
  ['MD01', 'fraud'],
  ['AM05', 'duplicate'],
])('a debit that is returned with %s is disputed: %s', (code, disputed) => {
  expect(debitReturnOf(code)).toEqual({ disputed })
})

it('return codes ignore case, an unknown code is a permanent failure, and no code is no return', () => {
  expect(debitReturnOf('am04')).toEqual({ failed: 'insufficient_funds' })
  expect(debitReturnOf('XX99')).toEqual({ failed: 'invalid_mandate' })
  expect(debitReturnOf('constructor')).toEqual({ failed: 'invalid_mandate' })
  expect(debitReturnOf(null)).toBeNull()
  expect(returnCodes).toContain('AM04')
})
