import { auditLog } from '../modules/audit/operations.ts'
import type { StoredEntry } from '../modules/audit/store.ts'
import type { AdminAction } from '../modules/operators/rules/admin-actions.ts'
import { emailsOfMembers } from '../modules/operators/store.ts'
import type { Cause, TimelineEntry } from '../modules/subscriptions/page.ts'
import { realTimeOf } from '../platform/crypto/identity.ts'
import { db } from '../platform/db/db.ts'

type EventName = Extract<TimelineEntry, { kind: 'event' }>['event']

/** The events that each action in the admin area or on the command line can cause. */
const eventsOf: Partial<Record<AdminAction, readonly EventName[]>> = {
  'subscription.cancel': ['canceled_with_grace_period', 'canceled_immediately'],
  'subscription.cancel_now': ['canceled_immediately'],
  'subscription.resume': ['resumed'],
  'subscription.pause': ['paused'],
  'subscription.unpause': ['updated_immediately', 'resumed'],
  'subscription.change': ['updated_immediately', 'update_scheduled'],
}

/** Events that the schedule causes. */
const ofSchedule: readonly EventName[] = [
  'renewed',
  'updated_on_renewal',
  'canceled_for_nonpayment',
  'cancellation_grace_period_completed',
]

/** Events that only the buyer causes, on a hosted page. */
const ofBuyer: readonly EventName[] = ['started', 'billing_updated']

interface Event {
  readonly id: string
  readonly event: EventName
  readonly cancellationReason: string | null
}

/** The maximum time between an event and the audit entry of its transaction. */
const mostMs = 30_000
const mostEntries = 100

/**
 * Finds who caused an event of a subscription. An action of a person and its event commit in one transaction, so their
 * real times are close. Other changes come from an API key or from the customer portal, which events do not tell apart.
 */
export async function causesOf(merchantId: string, subscriptionId: string): Promise<(event: Event) => Cause> {
  const [entries, members] = await Promise.all([
    auditLog(null, mostEntries, subscriptionId),
    emailsOfMembers(db(), merchantId),
  ])
  return (event) => causeOf(event, entries, members)
}

/** Like `causesOf`, but reads the audit entries of the subscription and the addresses of the merchant's members. */
export function causeOf(
  { id, event, cancellationReason }: Event,
  entries: readonly Pick<StoredEntry, 'action' | 'at' | 'actor'>[],
  members: ReadonlyMap<string, string>,
): Cause {
  if (ofSchedule.includes(event)) return { kind: 'schedule' }
  if (ofBuyer.includes(event)) return { kind: 'buyer' }
  const madeAt = realTimeOf(id).getTime()
  const entry = entries.find(({ action, at }) => {
    const passed = at.getTime() - madeAt
    return eventsOf[action as AdminAction]?.includes(event) && passed >= -1 && passed <= mostMs
  })
  if (entry) {
    const name = members.get(entry.actor.id)
    return name === undefined ? { kind: 'staff' } : { kind: 'member', name }
  }
  return event.startsWith('canceled') && cancellationReason === 'customer_request'
    ? { kind: 'buyer' }
    : { kind: 'apiOrPortal' }
}
