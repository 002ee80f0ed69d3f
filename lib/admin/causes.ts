import { keyNames } from '../modules/accounts/key-store.ts'
import { auditLog } from '../modules/audit/operations.ts'
import type { StoredEntry } from '../modules/audit/store.ts'
import type { AdminAction } from '../modules/operators/rules/admin-actions.ts'
import { emailsOfMembers } from '../modules/operators/store.ts'
import type { Cause, TimelineEntry } from '../modules/subscriptions/page.ts'
import { realTimeOf } from '../platform/crypto/identity.ts'
import { db } from '../platform/db/db.ts'
import type { Access } from './access.ts'

type EventName = Extract<TimelineEntry, { kind: 'event' }>['event']

const eventsOf: Partial<Record<AdminAction, readonly EventName[]>> = {
  'subscription.cancel': ['canceled_with_grace_period', 'canceled_immediately'],
  'subscription.cancel_now': ['canceled_immediately'],
  'subscription.resume': ['resumed'],
  'subscription.pause': ['paused'],
  'subscription.unpause': ['updated_immediately', 'resumed'],
  'subscription.change': ['updated_immediately', 'update_scheduled'],
}

/** Events that are always caused by a scheduled task. */
const ofSchedule: readonly EventName[] = [
  'renewed',
  'updated_on_renewal',
  'canceled_for_nonpayment',
  'cancellation_grace_period_completed',
]

/** Events that are always caused by the buyer on a hosted page, even if the service stores the event later, after the payment. */
const ofBuyer: readonly EventName[] = ['started', 'billing_updated']

interface Event {
  readonly id: string
  readonly event: EventName
  /** Null for events that an older version of the service stored. */
  readonly causedBy: string | null
  readonly cancellationReason: string | null
}

interface Known {
  readonly entries: readonly Pick<StoredEntry, 'action' | 'at' | 'actor'>[]
  readonly members: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

/** The maximum time between an event and the audit entry of the same transaction. */
const mostMs = 30_000
const mostEntries = 100

export async function causesOf(
  { id, merchant }: Pick<Access['storefront'], 'id' | 'merchant'>,
  subscriptionId: string,
  events: readonly Pick<Event, 'causedBy'>[],
): Promise<(event: Event) => Cause> {
  const [entries, members, keys] = await Promise.all([
    auditLog(null, mostEntries, subscriptionId),
    emailsOfMembers(db(), merchant.id),
    keyNames(
      db(),
      events.flatMap(({ causedBy }) => causedBy ?? []),
      id,
    ),
  ])
  const names = new Map([...keys].map(([id, { name, hint }]) => [id, name ?? `${hint}…`]))
  return (event) => causeOf(event, { entries, members, keys: names })
}

/** The cause of one event. `known` has the audit entries and the names of the members and API keys. */
export function causeOf(event: Event, known: Known): Cause {
  const caller = event.causedBy
  if (caller?.startsWith('key_')) return { kind: 'key', name: known.keys.get(caller) ?? caller }
  if (caller?.startsWith('operator_')) {
    const name = known.members.get(caller)
    return name === undefined ? { kind: 'formerMember' } : { kind: 'member', name }
  }
  if (caller === 'staff') return { kind: 'staff' }
  if (caller === 'customer') return { kind: 'buyer' }
  return deduced(event, known)
}

/**
 * Deduces the cause of an event that names no person or key. Finds a person by an audit entry of nearly the same time;
 * for an older event, the API and the portal cannot be distinguished.
 */
function deduced({ id, event, causedBy, cancellationReason }: Event, { entries, members }: Known): Cause {
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
  if (event.startsWith('canceled') && cancellationReason === 'customer_request') return { kind: 'buyer' }
  return causedBy === null ? { kind: 'apiOrPortal' } : { kind: 'schedule' }
}
