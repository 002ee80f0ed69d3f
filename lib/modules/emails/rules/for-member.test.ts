import { expect, it } from 'vitest'
import { memberEmailKinds, signInEmailKinds } from './email.ts'
import { isForBuyer, isForMember } from './for-member.ts'
import { emailKinds } from './required.ts'

it('isForMember() returns true for exactly the email kinds that go to members', () => {
  expect(emailKinds.filter(isForMember)).toEqual(memberEmailKinds)
  expect(isForMember('receipt')).toBe(false)
})

it('email kinds for buyers exclude emails to members and emails about a log-in to the admin area', () => {
  const others: readonly string[] = [...memberEmailKinds, ...signInEmailKinds]
  expect(emailKinds.filter(isForBuyer)).toEqual(emailKinds.filter((kind) => !others.includes(kind)))
  for (const kind of ['receipt', 'portal_link', 'transfer_instructions'] as const) expect(isForBuyer(kind)).toBe(true)
})
