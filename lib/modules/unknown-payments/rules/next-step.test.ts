import { expect, it } from 'vitest'
import { type ComingCharge, type Listed, nextStep } from './next-step.ts'

const eur = (minor: bigint) => ({ minor, currency: 'EUR' as const })
const charge = (subscriptionId: string, ...minors: bigint[]): ComingCharge => ({
  subscriptionId,
  amounts: minors.map(eur),
})
const listed: Listed = {
  amount: eur(1220n),
  status: 'paid',
  usedBy: null,
  releasedAt: null,
  hasStorefront: true,
  moneyReturned: false,
  charges: [],
}
const [s1, s2] = [charge('s1', 1220n), charge('s2', 500n, 1220n)]
const released = new Date('2027-03-02T00:00:00Z')

it.each<[string, Partial<Listed>, string, string]>([
  ['of the amount of a charge', { charges: [s1] }, 'use', 'charge of subscription s1 uses it'],
  [
    'of the amount of two charges',
    { charges: [s1, s2], status: 'pending' },
    'use',
    'charge of subscription s1 or s2 uses it',
  ],
  [
    'of the amount of one of two charges',
    { charges: [charge('s0', 2420n), charge('s00'), s2] },
    'use',
    'charge of subscription s2 uses it',
  ],
  [
    'of another amount than the charge',
    { charges: [charge('s1', 2440n)] },
    'refund',
    'refund it at the provider, then run `restore release`: the charge of subscription s1 has a different amount',
  ],
  [
    'of another currency than the charge',
    { charges: [s1], amount: { minor: 1220n, currency: 'USD' } },
    'refund',
    'refund it at the provider, then run `restore release`: the charge of subscription s1 has a different amount',
  ],
  [
    'that is pending and has another amount than the charges',
    { charges: [s1, s2], amount: eur(1n), status: 'pending' },
    'refund',
    'cancel it, or refund it at the provider after it is paid, then run `restore release`: the charge of subscription s1 or s2 has a different amount',
  ],
  [
    'on the mandate of a subscription whose next amount is unknown',
    { charges: [charge('s1', 2440n), charge('s2')] },
    'depends',
    'charge of subscription s2 uses it if the amounts are equal, otherwise the charge waits',
  ],
  [
    'whose money was returned, of the amount of a charge',
    { charges: [s1], moneyReturned: true },
    'wait',
    'the charge of subscription s1 waits until `restore release`: the payment was refunded or disputed',
  ],
  ['without a charge', {}, 'refund', 'refund it at the provider'],
  [
    'that is pending, without a charge',
    { status: 'pending' },
    'refund',
    'cancel it, or refund it at the provider after it is paid',
  ],
  [
    'whose money was returned, without a charge',
    { moneyReturned: true },
    'nothing',
    'nothing: the payment was refunded or disputed',
  ],
  [
    'of an unknown storefront',
    { hasStorefront: false },
    'refund',
    'refund it at the provider, unless another installation has the storefront',
  ],
  [
    'whose money was returned, of an unknown storefront',
    { hasStorefront: false, moneyReturned: true },
    'nothing',
    'nothing: the payment was refunded or disputed',
  ],
  ['that a payment uses', { usedBy: 'p1', charges: [s1] }, 'used', 'payment p1 uses it'],
  ['that is released', { releasedAt: released, charges: [s1] }, 'released', 'released'],
])('the next step for an unknown payment $0 is "$3"', (_, differs, step, next) => {
  expect(nextStep({ ...listed, ...differs })).toEqual({ step, next })
})
