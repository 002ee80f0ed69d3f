import { describe, expect, it } from 'vitest'
import { memberEmailKinds } from './email.ts'
import { emailKinds, whyRequired } from './required.ts'
import { causeOf, holds, isSuppressed, type Suppression } from './suppression.ts'

const noticedAt = new Date('2026-11-20T10:00:00Z')
const after = new Date('2026-11-20T10:00:01Z')
const suppressed = (cause: Suppression['cause'], liftedAt: Date | null = null): Suppression => ({
  cause,
  noticedAt,
  liftedAt,
})

it.each([
  [null, true],
  [after, false],
  [noticedAt, false],
  [new Date('2026-11-20T09:59:59Z'), true],
])('a suppression with the lift time %s is in force: %s', (liftedAt, isHeld) => {
  expect(holds(suppressed('bounce', liftedAt))).toBe(isHeld)
})

describe('suppressed kinds', () => {
  it.each(emailKinds)(
    'a bounce suppresses emails of the kind %s, and a complaint suppresses these emails too if the kind can be switched off',
    (kind) => {
      const isOptional = whyRequired[kind] === null
      expect(isSuppressed(kind, [])).toBe(false)
      expect(isSuppressed(kind, [suppressed('bounce')])).toBe(true)
      expect(isSuppressed(kind, [suppressed('complaint')])).toBe(isOptional)
      expect(isSuppressed(kind, [suppressed('bounce', after), suppressed('complaint')])).toBe(isOptional)
      expect(isSuppressed(kind, [suppressed('bounce', after), suppressed('complaint', after)])).toBe(false)
    },
  )

  it('a complaint suppresses emails about failed payments and emails to members, except emails about access and bank details', () => {
    const required: readonly string[] = ['payout_account_changed', 'access_changed']
    const toMembers = memberEmailKinds.filter((kind) => !required.includes(kind))
    for (const kind of ['payment_failed', ...toMembers] as const) expect(whyRequired[kind]).toBeNull()
  })
})

it.each([
  ['bounce', true, 'bounce'],
  ['bounce', false, null],
  ['complaint', false, 'complaint'],
  ['complaint', true, 'complaint'],
] as const)('a notice of type %s (permanent: %s) causes the suppression %s', (type, permanent, cause) => {
  expect(causeOf({ type, permanent })).toBe(cause)
})
