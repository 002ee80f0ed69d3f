import { expect, it } from 'vitest'
import { memberEmailKinds } from './email.ts'
import { isForMember } from './for-member.ts'
import { emailKinds } from './required.ts'

it('the kinds for members are not those for customers', () => {
  expect(emailKinds.filter(isForMember)).toEqual(memberEmailKinds)
  expect(isForMember('receipt')).toBe(false)
})
