import { expect, it } from 'vitest'
import { aSubscription } from '../examples.ts'
import { snapshotOf } from './charged-change.ts'

it('the snapshot before a charged change contains only the terms, the cycle, and the deferred proration lines of a subscription', () => {
  const subscription = aSubscription({ quantity: 3 })
  const { terms, cycle, parked } = snapshotOf(subscription)
  expect(subscription).toMatchObject({ ...terms, ...cycle, parked })
  expect(terms).not.toHaveProperty('status')
})
