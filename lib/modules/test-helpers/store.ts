import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { literal } from '../../platform/db/fragment.ts'
import { simulatedProvider } from '../payments/provider-data.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { Outcome } from './rules/outcome.ts'

/** The caller must lock the clock first. */
export async function findMove(
  sql: Sql,
  storefrontId: string,
): Promise<{ advancingTo: Date | null; movedBy: string | null }> {
  const row = await sql.clocks.findUniqueOrThrow({ where: { storefront_id: storefrontId } })
  return { advancingTo: row.advancing_to, movedBy: row.moved_by }
}

/**
 * Forgets which request advances the test clock. Call this function in the transaction that stores the response to the request. A later request with the same
 * idempotency key then starts a new advance instead of resuming the finished advance.
 */
export async function forgetAdvancer(sql: Sql, storefrontId: string, movedBy: string): Promise<void> {
  await sql.clocks.updateMany({ where: { storefront_id: storefrontId, moved_by: movedBy }, data: { moved_by: null } })
}

export interface FastForward {
  readonly id: string
  readonly subscriptionId: string
  readonly periodStart: Date
  readonly outcome: Outcome | null
  readonly createdAt: Date
}

/** Inserts a fast-forward. A unique index permits one open fast-forward per subscription. */
export async function insertFastForward(sql: Sql, tenant: Tenant, fastForward: FastForward): Promise<void> {
  const { id, subscriptionId, periodStart, outcome, createdAt } = fastForward
  const data = {
    id,
    ...ownedBy(tenant),
    subscription_id: subscriptionId,
    open_subscription_id: subscriptionId,
    period_start: periodStart,
    payment_status: outcome?.paymentStatus ?? null,
    failure_reason: outcome?.failureReason ?? null,
    created_at: createdAt,
  }
  await sql.fast_forwards.create({ data, select: { id: true } })
}

export const hasOpenFastForward = async (sql: Sql, subscriptionId: string): Promise<boolean> =>
  (await sql.fast_forwards.count({ where: { open_subscription_id: subscriptionId } })) > 0

export async function waitingFastForward(sql: Sql, tenant: Tenant, id: string): Promise<FastForward | null> {
  const row = await sql.fast_forwards.findFirst({
    where: { id, ...ownedBy(tenant), order_id: null, open_subscription_id: { not: null } },
  })
  return (
    row && {
      id: row.id,
      subscriptionId: row.subscription_id,
      periodStart: row.period_start,
      outcome: toOutcome(row),
      createdAt: row.created_at,
    }
  )
}

/** Records the order of a fast-forward. `orderId` is null if the period was billed before the fast-forward ran. */
export async function fastForwarded(sql: Sql, id: string, orderId: string | null): Promise<void> {
  const data = orderId === null ? { open_subscription_id: null } : { order_id: orderId }
  await sql.fast_forwards.update({ where: { id }, data, select: { id: true } })
}

/** Marks the fast-forwards of the orders as resolved. Call this function when the orders are paid or written off. */
export async function resolveFastForwards(sql: Sql, orderIds: string[]): Promise<void> {
  await sql.fast_forwards.updateMany({ where: { order_id: { in: orderIds } }, data: { open_subscription_id: null } })
}

export const isFastForwarded = async (sql: Sql, orderId: string): Promise<boolean> =>
  (await sql.fast_forwards.count({ where: { order_id: orderId } })) > 0

export interface Simulation {
  readonly id: string
  readonly orderId: string
  readonly outcome: Outcome
  readonly createdAt: Date
}

/** Inserts a simulation. A unique index permits one open simulation per order. */
export async function insertSimulation(sql: Sql, tenant: Tenant, simulation: Simulation): Promise<void> {
  const { id, orderId, outcome, createdAt } = simulation
  const { paymentStatus, failureReason } = outcome
  const order = { order_id: orderId, open_order_id: orderId }
  const data = { id, ...ownedBy(tenant), ...order, payment_status: paymentStatus, failure_reason: failureReason }
  await sql.simulations.create({ data: { ...data, created_at: createdAt }, select: { id: true } })
}

export const hasOpenSimulation = async (sql: Sql, orderId: string): Promise<boolean> =>
  (await sql.simulations.count({ where: { open_order_id: orderId } })) > 0

export async function waitingSimulation(sql: Sql, tenant: Tenant, id: string): Promise<Simulation | null> {
  const row = await sql.simulations.findFirst({ where: { id, ...ownedBy(tenant), open_order_id: { not: null } } })
  const outcome = row && toOutcome(row)
  return row && outcome && { id: row.id, orderId: row.order_id, outcome, createdAt: row.created_at }
}

export async function simulated(sql: Sql, id: string): Promise<void> {
  await sql.simulations.update({ where: { id }, data: { open_order_id: null }, select: { id: true } })
}

export interface WaitingOrder {
  readonly orderId: string
  readonly subscriptionId: string | null
}

/**
 * Returns the pending orders that have a simulated payment, oldest first. Also returns pending fast-forwarded orders
 * that have neither a payment nor a recovery, because no payment method is stored.
 */
export const ordersWaiting = (sql: Sql, tenant: Tenant, take: number): Promise<WaitingOrder[]> =>
  sql.$queryRaw`
    SELECT o.id AS "orderId", o.subscription_id AS "subscriptionId" FROM orders o
    WHERE o.status = 'pending' AND o.id IN (
      SELECT p.open_order_id FROM payments p
      WHERE p.open_order_id IS NOT NULL AND p.provider = ${literal(simulatedProvider)}
        AND ${ownedRows(tenant, 'p')}
      UNION SELECT f.order_id FROM fast_forwards f
      WHERE f.open_subscription_id IS NOT NULL AND ${ownedRows(tenant, 'f')}
        AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = f.order_id)
        AND NOT EXISTS (SELECT 1 FROM recoveries r WHERE r.order_id = f.order_id))
    ORDER BY o.id LIMIT ${take}`

const toOutcome = (row: {
  payment_status: Column.SimulatedStatus | null
  failure_reason: FailureReason | null
}): Outcome | null =>
  row.payment_status === null ? null : { paymentStatus: row.payment_status, failureReason: row.failure_reason }
