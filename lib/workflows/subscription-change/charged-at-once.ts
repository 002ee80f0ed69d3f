import { Refusal } from '../../kernel/refusal.ts'
import { requireSelling } from '../../modules/accounts/require-selling.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { immediateOrders } from '../../modules/orders/store.ts'
import { insertChargedChange } from '../../modules/subscriptions/charged-changes.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Records the former terms, because the subscription returns to them if the order of the change is never paid. */
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

/** Refuses with `too_many_charges` or `storefront_suspended`. */
export async function requireChargeable({ sql, ...tenant }: Tenant & { sql: Sql }, id: string): Promise<void> {
  await requireWithinRateLimit(sql, id)
  await requireSelling(sql, tenant)
}

/** The limit uses the real clock, so that an advance of a test clock does not lift the limit. */
async function requireWithinRateLimit(sql: Sql, id: string): Promise<void> {
  const limit = config().rateLimitCharges
  const now = realNow()
  const { count, first } = await immediateOrders(sql, id, new Date(now.getTime() - hourMs))
  if (limit === 0 || count < limit || !first) return
  const retryAfterSeconds = Math.ceil((first.getTime() + hourMs - now.getTime()) / 1000)
  throw new Refusal('too_many_charges', {}, { retryAfterSeconds })
}
