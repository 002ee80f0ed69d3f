import { toWire } from '../kernel/moment.ts'
import type { Work } from '../platform/transact.ts'
import type { Subscription } from './rules/index.ts'
import { periodEnd } from './tasks.ts'

/**
 * The one timer of a subscription: it rings at the end of what is paid. A timer set for a moment that is no longer that end
 * does nothing when it rings.
 */
export async function setTimer({ later }: Work, { id, status, renewedUntil }: Subscription): Promise<void> {
  const runs = status === 'active' || status === 'trial' || status === 'on_grace_period'
  if (!runs || !renewedUntil) return
  const endsAt = toWire(renewedUntil)
  // Named by its moment: a timer that rings sets the next one, and must not replace itself.
  await later(periodEnd, { key: `${id} ${endsAt}`, data: { subscriptionId: id, endsAt }, dueAt: renewedUntil })
}
