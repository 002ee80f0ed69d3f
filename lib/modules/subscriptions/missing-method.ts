import type { Transaction } from '../events/transact.ts'
import { nextCharge } from './next-charge.ts'
import { askForMethodAt, type Subscription } from './rules/index.ts'
import { askForMissingMethod } from './tasks.ts'

export function chargeWithoutMethod(subscription: Subscription, now: Date) {
  const next = subscription.mandate === null ? nextCharge(subscription, now) : null
  return next && next.total > 0n && next.at > now ? next : null
}

export async function watchForMethods(tx: Transaction, started: readonly Subscription[]): Promise<void> {
  const tasks = started.flatMap((subscription) => {
    const next = chargeWithoutMethod(subscription, tx.now)
    if (!next) return []
    const { id } = subscription
    return [{ key: id, data: { subscriptionId: id }, dueAt: askForMethodAt(tx.now, next.at) }]
  })
  if (tasks.length > 0) await tx.enqueueAll(askForMissingMethod, tasks)
}
