import type { CyclePosition } from './period.ts'
import { type ProrationLine, planOf, type Subscription, type Terms } from './subscription.ts'

export interface Snapshot {
  readonly terms: Terms
  readonly cycle: CyclePosition
  readonly parked: readonly ProrationLine[]
}

/** A change that an order charged immediately. If the order is never paid, the subscription returns to its state before the change. */
export interface ChargedChange {
  readonly orderId: string
  readonly subscriptionId: string
  readonly before: Snapshot
  readonly after: Snapshot
  /**
   * Whether a later change reversed this change before its payment. If so, the order of this change is not collected
   * after a failed charge.
   */
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
