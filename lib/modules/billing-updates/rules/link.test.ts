import { expect, it } from 'vitest'
import { newLink } from './link.ts'

const now = new Date('2027-03-27T12:00:00Z')
const given = {
  id: 'billing_link_1',
  subscriptionId: 'subscription_1',
  redirectUrlSuccess: 'https://shop.example/ok',
  redirectUrlCanceled: 'https://shop.example/back',
  billingAddress: null,
}

it.each([
  ['merchant', '2027-03-28T12:00:00Z'],
  ['email', '2027-04-04T12:00:00Z'],
] as const)(
  'a billing-update link that is created at 2027-03-27T12:00:00Z with the lifetime "%s" expires at %s',
  (lifetime, over) => {
    expect(newLink(given, lifetime, now)).toEqual({ ...given, draft: null, createdAt: now, expiresAt: new Date(over) })
  },
)
