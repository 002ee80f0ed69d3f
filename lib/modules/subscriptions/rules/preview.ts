import type { BillingLine } from './bill.ts'
import type { Changed } from './change-request.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

/** What a subscription is charged at a moment: the lines of an order that is not made yet. */
export interface Charge {
  readonly at: Date
  /** As it is from then on. */
  readonly subscription: Subscription
  readonly lines: readonly BillingLine[]
}

/** What a change charges: at its own moment, and with the renewal after it. Null for nothing. */
export function previewed(
  { next, lines }: Changed,
  at: Date,
): { readonly dueNow: Charge | null; readonly nextRenewal: Charge | null } {
  return {
    dueNow: lines.length > 0 ? { at, subscription: next, lines } : null,
    nextRenewal: nextRenewal(next, at),
  }
}

/** The next renewal, by the rule that will bill it. A renewal that is due and waits is one of now. Null if none is due. */
export function nextRenewal(subscription: Subscription, now: Date): Charge | null {
  const due = nextRenewalAt(subscription)
  if (!due) return null
  const { next, lines } = renew(subscription, { due, now })
  return { at: due > now ? due : now, subscription: next, lines }
}
