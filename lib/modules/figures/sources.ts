import type { Interval } from '../../kernel/calendar.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { type Currency, percent } from '../../kernel/money.ts'
import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { fragment } from '../../platform/db/fragment.ts'
import { figureKind } from '../ledger/rows.ts'
import type { SubscriptionStatus } from '../subscriptions/rules/index.ts'
import { daysAfter, startOf } from './rules/days.ts'
import type { EndedCount, PostedNet } from './rules/figure-day.ts'
import type { ShownTerms } from './rules/recurring-amount.ts'

export interface Days {
  readonly from: string
  readonly to: string
}

const idsOf = (prefix: 'webhook_event_' | 'entry_', { from, to }: Days) =>
  fragment`id >= ${firstIdAt(prefix, startOf(from))} AND id < ${firstIdAt(prefix, startOf(daysAfter(to, 1)))}`
const dayOfRow = fragment`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`

export interface ShownSubscription {
  readonly subscriptionId: string
  readonly customerId: string
  readonly day: string
  readonly shown: ShownTerms
}

interface EventRow {
  subscriptionId: string
  customerId: string
  day: string
  status: SubscriptionStatus
  canceledFrom: SubscriptionStatus | null
  planId: string
  price: string
  currency: Currency
  quantity: number
  interval: Interval
  intervalCount: number
  includedTax: string
}

/**
 * Returns the state of each subscription after each of its events, in the order of the events. If the price includes tax, `includedTax` is the tax rate of the
 * newest order line before the event. If the events before a grace period were deleted, `canceledFrom` is the status
 * that a resume would restore now. If the subscription has ended, `canceledFrom` is `active`.
 */
export async function shownSubscriptions(sql: Sql, tenant: Tenant, days: Days): Promise<ShownSubscription[]> {
  const rows = await sql.$queryRaw<EventRow[]>`
    SELECT s.id AS "subscriptionId", s.customer_id AS "customerId", e.day,
      e.object->>'status' AS status, e.object->>'subscriptionPlanId' AS "planId",
      CASE WHEN e.object->>'status' = 'on_grace_period' THEN coalesce(
        (SELECT p.body::json->'object'->>'status' FROM events p WHERE p.entity_id = e.entity_id AND p.entity_type = 'subscription' AND p.id < e.id
          AND p.body::json->'object'->>'status' <> 'on_grace_period' ORDER BY p.id DESC LIMIT 1), s.resumes_to, 'active') END AS "canceledFrom",
      e.object->'basePrice'->>'value' AS price, e.object->'basePrice'->>'currency' AS currency,
      (e.object->>'quantity')::int AS quantity, e.object->>'interval' AS interval, (e.object->>'intervalCount')::int AS "intervalCount",
      CASE WHEN s.tax_behavior = 'inclusive' THEN (
        SELECT coalesce(sum((tax->>'percentage')::numeric), 0)::text FROM jsonb_array_elements((
          SELECT l.taxes FROM orders o JOIN order_lines l ON l.order_id = o.id
          WHERE (o.subscription_id = s.id OR o.checkout_id = (SELECT checkout_id FROM checkout_lines WHERE id = s.checkout_line_id))
            AND l.product_id = s.id AND o.credited_order_id IS NULL AND o.created_at <= e.created_at
          ORDER BY o.id DESC, l.position LIMIT 1)) tax) ELSE '0' END AS "includedTax"
    FROM (SELECT id, entity_id, created_at, ${dayOfRow} AS day, body::json->'object' AS object FROM events
      WHERE ${ownedRows(tenant)} AND ${idsOf('webhook_event_', days)} AND entity_type = 'subscription' OFFSET 0) e
    JOIN subscriptions s ON s.id = e.entity_id ORDER BY e.id`
  return rows.map((row) => ({
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    day: row.day,
    shown: {
      status: row.status,
      canceledFrom: row.canceledFrom,
      planId: row.planId,
      price: { minor: BigInt(row.price.replace('.', '')), currency: row.currency },
      quantity: row.quantity,
      every: { interval: row.interval, intervalCount: row.intervalCount },
      includedTax: percent(row.includedTax),
    },
  }))
}

export async function postedNets(sql: Sql, tenant: Tenant, days: Days): Promise<PostedNet[]> {
  const rows = await sql.$queryRaw<(Omit<PostedNet, 'orders'> & { orders: bigint })[]>`
    SELECT p.day, p.currency, p.kind, coalesce(o.customer_details->>'country', '') AS country,
      sum(p.net)::bigint AS net, count(*) FILTER (WHERE p.is_sale) AS orders
    FROM (SELECT ${dayOfRow} AS day, currency, ${figureKind} AS kind, order_id, sum(amount) AS net, bool_or(cause = 'order.paid') AS is_sale
      FROM ledger_entries WHERE ${ownedRows(tenant)} AND ${idsOf('entry_', days)}
        AND account IN ('provider_clearing', 'refunds', 'chargebacks', 'tax_payable') GROUP BY 1, 2, 3, 4) p
    LEFT JOIN orders o ON o.id = p.order_id GROUP BY 1, 2, 3, 4`
  return rows.map((row) => ({ ...row, orders: Number(row.orders) }))
}

const ends = [
  'subscription.canceled_immediately',
  'subscription.canceled_for_nonpayment',
  'subscription.cancellation_grace_period_completed',
]

/**
 * Counts ended subscriptions by the reason that the customer chose, or else by the subscription's `cancellation_reason`. Includes subscriptions without MRR.
 */
export async function endedCounts(sql: Sql, tenant: Tenant, days: Days): Promise<EndedCount[]> {
  const rows = await sql.$queryRaw<(Omit<EndedCount, 'count'> & { count: bigint })[]>`
    SELECT e.day, s.currency, coalesce(f.reason, s.cancellation_reason, 'other') AS reason, count(*) AS count
    FROM (SELECT entity_id, ${dayOfRow} AS day FROM events
      WHERE ${ownedRows(tenant)} AND name = ANY(${ends}) AND ${idsOf('webhook_event_', days)}) e
    JOIN subscriptions s ON s.id = e.entity_id LEFT JOIN cancellation_feedback f ON f.subscription_id = s.id
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

export async function firstActiveDay(sql: Sql, tenant: Tenant, from: string | null): Promise<string | null> {
  const since = (prefix: 'webhook_event_' | 'entry_') =>
    from === null ? fragment`true` : fragment`id >= ${firstIdAt(prefix, startOf(from))}`
  const [row] = await sql.$queryRaw<{ day: string | null }[]>`
    SELECT least(
      (SELECT ${dayOfRow} FROM events WHERE ${ownedRows(tenant)} AND ${since('webhook_event_')} ORDER BY id LIMIT 1),
      (SELECT ${dayOfRow} FROM ledger_entries WHERE ${ownedRows(tenant)} AND ${since('entry_')} ORDER BY id LIMIT 1)) AS day`
  return row?.day ?? null
}

/** The first day from which all events are stored. Null if no events were deleted. */
export async function eventsCompleteFrom(sql: Sql): Promise<string | null> {
  const [row] = await sql.$queryRaw<{ day: string | null }[]>`
    SELECT to_char((max(before) AT TIME ZONE 'UTC')::date + 1, 'YYYY-MM-DD') AS day FROM horizons WHERE kind = 'events'`
  return row?.day ?? null
}
