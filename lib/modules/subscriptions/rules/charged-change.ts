import type { CyclePosition } from './period.ts'
import { type ProrationLine, planOf, type Subscription, type Terms } from './subscription.ts'

/** What a change of a subscription replaces. */
export interface Snapshot {
  readonly terms: Terms
  readonly cycle: CyclePosition
  readonly parked: readonly ProrationLine[]
}

/** A change that was charged at once, by an order: the subscription returns to what was before if the order is never paid. */
export interface ChargedChange {
  readonly orderId: string
  readonly subscriptionId: string
  readonly before: Snapshot
  readonly after: Snapshot
  /** The terms were changed back while its charge was on its way: if that fails, nothing is collected. */
  readonly isTakenBack: boolean
}

export const snapshotOf = (subscription: Subscription): Snapshot => {
  const { anchorAt, cycleNumber, renewedUntil, period, parked, quantity } = subscription
  return {
    terms: { ...planOf(subscription), quantity },
    cycle: { anchorAt, cycleNumber, renewedUntil, period },
    parked,
  }
}
