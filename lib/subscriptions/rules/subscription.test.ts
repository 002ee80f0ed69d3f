import { expect, it } from 'vitest'
import { subscriptionStates } from './state.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

const renewedUntil = new Date('2027-02-28T12:00:00Z')

it.each(subscriptionStates.states)('a subscription that is %s renews only if it is active or in a trial', (status) => {
  const renews = status === 'active' || status === 'trial'
  expect(nextRenewalAt({ status, renewedUntil } as Subscription)).toEqual(renews ? renewedUntil : null)
})
