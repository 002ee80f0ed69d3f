import { toWire } from '../../kernel/moment.ts'
import type { Transaction } from '../events/transact.ts'
import type { Subscription } from './rules/index.ts'
import { periodEnd } from './tasks.ts'

/**
 * The one timer of a subscription: a task at the end of the paid period. A task for a moment that is no longer that end
 * does nothing.
 */
export const setTimer = (tx: Transaction, subscription: Subscription): Promise<void> => setTimers(tx, [subscription])

export async function setTimers({ enqueueAll }: Transaction, subscriptions: readonly Subscription[]): Promise<void> {
  const timers = subscriptions.flatMap(({ id, status, renewedUntil }) => {
    const runs = status === 'active' || status === 'trial' || status === 'on_grace_period'
    if (!runs || !renewedUntil) return []
    const endsAt = toWire(renewedUntil)
    // Keyed by its moment: the task sets the next timer as it runs, and must not replace itself.
    return [{ key: `${id} ${endsAt}`, data: { subscriptionId: id, endsAt }, dueAt: renewedUntil }]
  })
  await enqueueAll(periodEnd, timers)
}
