import { lostMethodToDispute } from '../../chargebacks/lost-methods.ts'
import type { RemovedKind } from '../../events/horizons.ts'
import { askForMissingMethod } from '../../subscriptions/tasks.ts'

/** The README of this module states each invariant. */
export const invariantIds = [
  'I1',
  'I2',
  'I3',
  'I4',
  'I5',
  'I6',
  'I7',
  'I8',
  'I9',
  'I10',
  'I11',
  'I12',
  'I13',
  'I14',
  'I15',
  'I16',
  'I17',
  'I18',
  'I19',
  'I20',
  'W',
] as const
export type InvariantId = (typeof invariantIds)[number]

/** SQL queries by invariant and check. Each query returns the `id` of every violating row. */
export type Queries = { readonly [Of in InvariantId]?: Readonly<Record<string, string>> }

export const hasTask = ({ name }: { readonly name: string }, key: string): string =>
  `EXISTS (SELECT 1 FROM tasks t WHERE t.name = '${name}' AND t.key = ${key})`

export const isSale = (order: string): string =>
  `(${order}.credited_order_id IS NULL AND ${order}.replaces_order_id IS NULL)`

export const wasReturned = (orderId: string): string =>
  `EXISTS (SELECT 1 FROM payments back WHERE back.order_id = ${orderId} AND back.return_ref IS NOT NULL)`

/**
 * The SQL condition under which a subscription may lack a payment method. The condition holds if the price is 0, or if
 * the status is neither `active` nor `trial`. It also holds if the email that asks for a payment method is queued, was
 * sent, or may have been deleted. Finally, it holds if a dispute may have ended the payment method. The dispute comes
 * last, because this part reads several rows for each subscription.
 */
export const mayLackMethod = (subscription: string): string =>
  `(${subscription}.price = 0 OR ${subscription}.status NOT IN ('active', 'trial')
    OR ${hasTask(askForMissingMethod, `${subscription}.id`)} OR NOT ${isSince('emails', `${subscription}.id`)}
    OR EXISTS (SELECT 1 FROM emails e WHERE e.subscription_id = ${subscription}.id AND e.kind = 'payment_method_missing')
    OR ${lostMethodToDispute(subscription)})`

/**
 * The SQL condition for a row that is too new to have been deleted (see `events/horizons.ts`). A missing older row is
 * no violation. `id` is the id of the row or of its parent, because the parent is never newer than the row.
 */
export const isSince = (kind: RemovedKind, id: string): string =>
  `(right(${id}, 22) COLLATE "C" >= coalesce((SELECT before_id FROM horizons WHERE kind = '${kind}'), ''))`

export const eventsKeptSince = `(SELECT coalesce(max(before), '-infinity') FROM horizons WHERE kind = 'events')`

export const wire = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Parses an event's `object` once per row, as `parsed`. `OFFSET 0` prevents PostgreSQL from inlining the subquery. */
export const eventsIn = (event: string): string =>
  `LATERAL (SELECT ${event}.body::jsonb->'object' AS object OFFSET 0) parsed`

/** Selects the newest event of each subscription as `last`, with the event's object. Excludes subscriptions whose events were deleted. */
export const lastOfSubscriptions = `
  (SELECT max(id) AS id FROM events WHERE entity_type = 'subscription' AND ${isSince('events', 'id')} GROUP BY entity_id) newest JOIN events last USING (id), ${eventsIn('last')}`

/** Sums the JSON column `taxes` by tax rate, for each row that the column `by` identifies. */
export const byRate = (rows: string, by: string, taxes: string): string => `
  SELECT ${by} AS id, tax->>'name' AS name, tax->>'percentage' AS percentage, sum((tax->>'amount')::bigint) AS amount
  FROM ${rows}, jsonb_array_elements(${taxes}) tax GROUP BY 1, 2, 3`

export const otherTaxes = (left: string, right: string): string => `
  SELECT id FROM (${left}) a FULL JOIN (${right}) b USING (id, name, percentage)
  WHERE coalesce(a.amount, 0) <> coalesce(b.amount, 0)`
