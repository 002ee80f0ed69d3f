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
])('the return code %s of a direct debit starts a %s recovery', (code, kind) => {
  const means = debitReturnOf(code)
  expect(means && 'failed' in means && kindOf(means.failed)).toBe(kind)
})

it.each([
  ['MD06', 'subscription_canceled'],
  ['SL01', 'subscription_canceled'],
  ['MD01', 'fraud'],
  ['AM05', 'duplicate'],
])('the return code %s of a direct debit opens a dispute with the reason %s', (code, disputed) => {
  expect(debitReturnOf(code)).toEqual({ disputed })
})

it('debitReturnOf accepts a code in lower case, treats an unknown code as a permanent failure, and returns null without a code', () => {
  expect(debitReturnOf('am04')).toEqual({ failed: 'insufficient_funds' })
  expect(debitReturnOf('XX99')).toEqual({ failed: 'invalid_mandate' })
  expect(debitReturnOf('constructor')).toEqual({ failed: 'invalid_mandate' })
  expect(debitReturnOf(null)).toBeNull()
  expect(returnCodes).toContain('AM04')
})
