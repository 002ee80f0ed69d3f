import { describe, expect, it } from 'vitest'
import { type EmailChange, emailChangeState, isRepetition, mayChangeAgain, newEmailChange } from './email-change.ts'

const now = new Date('2026-11-20T10:00:00Z')
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const made = newEmailChange(
  { id: 'email_change_1', customerId: 'customer_1', from: 'ada@old.example', to: 'ada@new.example' },
  now,
)

describe('links', () => {
  it.each<[string, Partial<EmailChange>, string, number, string]>([
    ['usable immediately after the request', {}, made.from, 0, 'usable'],
    ['usable in its last minute', {}, made.from, 29, 'usable'],
    ['expired half an hour after the request', {}, made.from, 30, 'over'],
    ['invalid if another request replaced it', { endedAt: now }, made.from, 1, 'over'],
    ['invalid if the customer’s address has changed since', {}, 'ada@merchant.example', 1, 'over'],
    ['confirmed, even after its expiry', { confirmedAt: now }, made.to, 90, 'confirmed'],
    [
      'confirmed, even after another change of the address',
      { confirmedAt: now },
      'ada@merchant.example',
      1,
      'confirmed',
    ],
  ])('the link that confirms a new email address is %s', (_, change, email, minutes, state) => {
    expect(emailChangeState({ ...made, ...change }, { email, now: after(minutes) })).toBe(state)
  })
})

it.each([
  [[], true],
  [[-1, -2], true],
  [[-1, -2, -59], false],
  [[-1, -2, -60], true],
] as const)(
  'after email change requests at the times %j (minutes from now), the customer may make another request: %s',
  (minutes, may) => {
    expect(mayChangeAgain(minutes.map(after), now)).toBe(may)
  },
)

it.each<[string, Partial<EmailChange> | null, string, number, boolean]>([
  ['the first request', null, made.to, 0, false],
  ['the same address immediately again', {}, made.to, 0, true],
  ['the same address after a minute', {}, made.to, 1, false],
  ['another address', {}, 'other@new.example', 0, false],
  ['the same address after the first request was replaced', { endedAt: now }, made.to, 0, false],
  ['the same address after the address was confirmed', { confirmedAt: now }, made.to, 0, false],
])(
  'only a request for the same email address within a minute counts as a repeated submission: %s',
  (_, newest, to, minutes, repeated) => {
    expect(isRepetition(newest && { ...made, ...newest }, to, after(minutes))).toBe(repeated)
  },
)
