import type { BillingLine } from './bill.ts'
import type { Changed } from './change-request.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

export interface Charge {
  readonly at: Date
  readonly subscription: Subscription
  readonly lines: readonly BillingLine[]
}

export function previewed(
  { next, lines }: Changed,
  at: Date,
): { readonly dueNow: Charge | null; readonly nextRenewal: Charge | null } {
  return {
    dueNow: lines.length > 0 ? { at, subscription: next, lines } : null,
    nextRenewal: nextRenewal(next, at),
  }
}

export function nextRenewal(subscription: Subscription, now: Date): Charge | null {
  const due = nextRenewalAt(subscription)
  if (!due) return null
  const { next, lines } = renew(subscription, { due, now })
  return { at: due > now ? due : now, subscription: next, lines }
}
