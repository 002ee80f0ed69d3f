import { expect, it } from 'vitest'
import { type Listed, nextStep } from './next-step.ts'

const listed: Listed = {
  status: 'paid',
  usedBy: null,
  releasedAt: null,
  hasStorefront: true,
  isRefunded: false,
  subscriptions: [],
}
const released = new Date('2027-03-02T00:00:00Z')

it.each<[Partial<Listed>, string]>([
  [{ subscriptions: ['s1'] }, 'charge of subscription s1 uses it'],
  [{ subscriptions: ['s1', 's2'], status: 'pending' }, 'charge of subscription s1 or s2 uses it'],
  [
    { subscriptions: ['s1'], isRefunded: true },
    'the charge of subscription s1 waits until `restore release`: it is refunded',
  ],
  [{}, 'refund it at the provider'],
  [{ status: 'pending' }, 'cancel it, or refund it at the provider after it is paid'],
  [{ isRefunded: true }, 'nothing: it is refunded'],
  [{ hasStorefront: false }, 'refund it at the provider, unless another installation has the storefront'],
  [{ hasStorefront: false, isRefunded: true }, 'nothing: it is refunded'],
  [{ usedBy: 'p1', subscriptions: ['s1'] }, 'payment p1 uses it'],
  [{ releasedAt: released, subscriptions: ['s1'] }, 'released'],
])('the next step for an unknown payment with %o is: %s', (differs, expected) => {
  expect(nextStep({ ...listed, ...differs })).toBe(expected)
})
