import { describe, expect, it } from 'vitest'
import { endOfTime } from '../../kernel/moment.ts'
import { type BillingForm, billingFields } from '../page.ts'
import { type BillingLink, isRepetition, isUsable, newLink } from './link.ts'

const now = new Date('2027-03-27T12:00:00Z')
const given = {
  id: 'billing_link_1',
  subscriptionId: 'subscription_1',
  redirectUrlSuccess: 'https://shop.example/ok',
  redirectUrlCanceled: 'https://shop.example/back',
  billingAddress: null,
}
const form = (differences: Partial<BillingForm> = {}) =>
  ({ ...Object.fromEntries(billingFields.map((field) => [field, field])), ...differences }) as BillingForm

describe('a link to the billing page', () => {
  it.each([
    ['merchant', '2027-03-28T11:59:59Z', '2027-03-28T12:00:00Z'],
    ['mail', '2027-04-04T11:59:59Z', '2027-04-04T12:00:00Z'],
  ] as const)('of a %s can be used until %s and no longer', (lifetime, last, over) => {
    const link = newLink(given, lifetime, now)
    expect(link).toEqual({ ...given, draft: null, createdAt: now, expiresAt: new Date(over) })
    expect([isUsable(link, now), isUsable(link, new Date(last)), isUsable(link, new Date(over))]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('made at the end of all time cannot be used', () => {
    expect(isUsable(newLink(given, 'merchant', endOfTime), endOfTime)).toBe(false)
  })
})

describe('a form that comes again', () => {
  const link = (draft: BillingLink['draft']): BillingLink => ({ ...newLink(given, 'merchant', now), draft })
  const savedOnce = link({ form: form(), problems: {}, saves: 1, saved: { charged: null } })

  it('from the page that was saved before is a repetition', () => {
    expect(isRepetition(savedOnce, form(), '0')).toBe(true)
    expect(isRepetition(savedOnce, form(), null)).toBe(true)
  })

  it('from a page that was shown since is none', () => {
    expect(isRepetition(savedOnce, form(), '1')).toBe(false)
  })

  it.each(billingFields)('with another %s is none', (field) => {
    expect(isRepetition(savedOnce, form({ [field]: 'other' }), '0')).toBe(false)
  })

  it('after nothing, or after what was refused, is none', () => {
    expect(isRepetition(link(null), form(), null)).toBe(false)
    const refused = link({ form: form(), problems: { country: { code: 'unknown' } }, saves: 0, saved: null })
    expect(isRepetition(refused, form(), '0')).toBe(false)
    expect(isRepetition(refused, form(), null)).toBe(false)
  })
})
