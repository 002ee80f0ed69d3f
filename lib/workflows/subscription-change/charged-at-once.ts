import { Refusal } from '../../kernel/refusal.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { immediateOrders } from '../../modules/orders/store.ts'
import { insertChargedChange } from '../../modules/subscriptions/charged-changes.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'

/** Records the terms to which the subscription returns if the order is never paid. */
export const recordCharged = (
  tx: Transaction,
  before: rules.Subscription,
  next: rules.Subscription,
  orderId: string,
): Promise<void> =>
  insertChargedChange(tx.sql, tx, {
    orderId,
    subscriptionId: before.id,
    before: rules.snapshotOf(before),
    after: rules.snapshotOf(next),
    isTakenBack: false,
  })

const hourMs = 3_600_000

/** Refuses `too_many_charges`. Counts in real time, so that advancing a test clock does not lift the limit. */
export async function requireWithinRateLimit({ sql }: Transaction, id: string): Promise<void> {
  const limit = config().rateLimitCharges
  const now = realNow()
  const { count, first } = await immediateOrders(sql, id, new Date(now.getTime() - hourMs))
  if (limit === 0 || count < limit || !first) return
  const retryAfterSeconds = Math.ceil((first.getTime() + hourMs - now.getTime()) / 1000)
  throw new Refusal('too_many_charges', {}, { retryAfterSeconds })
}
