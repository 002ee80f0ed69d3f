import { describe, expect, it } from 'vitest'
import { type EmailChange, emailChangeState, isRepetition, mayChangeAgain, newEmailChange } from './email-change.ts'

const now = new Date('2026-11-20T10:00:00Z')
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const made = newEmailChange(
  { id: 'email_change_1', customerId: 'customer_1', from: 'ada@old.example', to: 'ada@new.example' },
  now,
)

describe('the link to a new address', () => {
  it.each<[string, Partial<EmailChange>, string, number, string]>([
    ['usable at once', {}, made.from, 0, 'usable'],
    ['usable in its last minute', {}, made.from, 29, 'usable'],
    ['over after half an hour', {}, made.from, 30, 'over'],
    ['over once another request replaced it', { endedAt: now }, made.from, 1, 'over'],
    ['over once the customer has a different address', {}, 'ada@merchant.example', 1, 'over'],
    ['confirmed, also after its end', { confirmedAt: now }, made.to, 90, 'confirmed'],
    ['confirmed, also after another change', { confirmedAt: now }, 'ada@merchant.example', 1, 'confirmed'],
  ])('the link to a new address is %s', (_, change, email, minutes, state) => {
    expect(emailChangeState({ ...made, ...change }, { email, now: after(minutes) })).toBe(state)
  })
})

it.each([
  [[], true],
  [[-1, -2], true],
  [[-1, -2, -59], false],
  [[-1, -2, -60], true],
] as const)('after wishes at %j minutes another link is emailed: %s', (minutes, may) => {
  expect(mayChangeAgain(minutes.map(after), now)).toBe(may)
})

it.each<[string, Partial<EmailChange> | null, string, number, boolean]>([
  ['the first', null, made.to, 0, false],
  ['the same at once', {}, made.to, 0, true],
  ['the same after a minute', {}, made.to, 1, false],
  ['for another address', {}, 'other@new.example', 0, false],
  ['the same after another one', { endedAt: now }, made.to, 0, false],
  ['the same after it was confirmed', { confirmedAt: now }, made.to, 0, false],
])('a wish is a repetition: %s', (_, newest, to, minutes, repeated) => {
  expect(isRepetition(newest && { ...made, ...newest }, to, after(minutes))).toBe(repeated)
})
