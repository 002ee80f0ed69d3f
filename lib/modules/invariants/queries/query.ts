import type { RemovedKind } from '../../events/horizons.ts'
import { askForMissingMethod } from '../../subscriptions/tasks.ts'

/** The checks by number; `W` finds open work without a task. */
export const checksOf = {
  I1: 'sums',
  I2: 'returned money',
  I3: 'periods',
  I4: 'payments',
  I5: 'numbers',
  I6: 'events',
  I7: 'deliveries',
  I8: 'scheduled updates',
  I9: 'status and times',
  I10: 'storefront and mode',
  I11: 'sales',
  I12: 'snapshots',
  I13: 'ledger',
  I14: 'customers and endpoints',
  I15: 'refunds and credit notes',
  I16: 'test helpers',
  I17: 'parked amounts',
  I18: 'final states',
  I19: 'what is owed',
  I20: 'figures',
  W: 'tasks of open work',
} as const
export type InvariantQuery = keyof typeof checksOf

/**
 * The conditions that must hold, by check and name: each is a query that returns the `id` of every row that violates
 * it.
 */
export type Queries = { readonly [Of in InvariantQuery]?: Readonly<Record<string, string>> }

/** Whether a task of a type is queued under a key, which is an SQL expression. */
export const hasTask = ({ name }: { readonly name: string }, key: string): string =>
  `EXISTS (SELECT 1 FROM tasks t WHERE t.name = '${name}' AND t.key = ${key})`

/** Whether an order is a sale, and no document about one. */
export const isSale = (order: string): string =>
  `(${order}.credited_order_id IS NULL AND ${order}.replaces_order_id IS NULL)`

/** Whether the bank returned a debit that had paid an order, so that it was open again. */
export const wasReturned = (orderId: string): string =>
  `EXISTS (SELECT 1 FROM payments back WHERE back.order_id = ${orderId} AND back.return_ref IS NOT NULL)`

/** Whether a dispute ended a payment method of the customer of a subscription. */
const isDisputed = (subscription: string): string =>
  `EXISTS (SELECT 1 FROM mandates d WHERE d.customer_id = ${subscription}.customer_id AND d.disputed_at IS NOT NULL)`

/**
 * Whether a subscription may lack a payment method: a dispute took it, nothing more will be charged, or its first payment left none and the
 * customer is asked for one, or was, by an email.
 */
export const mayLackMethod = (subscription: string): string =>
  `(${isDisputed(subscription)} OR ${subscription}.price = 0 OR ${subscription}.status NOT IN ('active', 'trial')
    OR ${hasTask(askForMissingMethod, `${subscription}.id`)} OR NOT ${isSince('emails', `${subscription}.id`)}
    OR EXISTS (SELECT 1 FROM emails e WHERE e.subscription_id = ${subscription}.id AND e.kind = 'payment_method_missing'))`

/**
 * Old rows are removed (`events/horizons.ts`), so only a row made since then may be reported as missing. The check
 * uses the id of the missing row or of its parent, which is no younger.
 */
export const isSince = (kind: RemovedKind, id: string): string =>
  `(right(${id}, 22) COLLATE "C" >= coalesce((SELECT before_id FROM horizons WHERE kind = '${kind}'), ''))`

/** The moment before which events may have been removed. */
export const eventsKeptSince = `(SELECT coalesce(max(before), '-infinity') FROM horizons WHERE kind = 'events')`

/** A moment in the API's format. */
export const wire = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/**
 * The `object` of an event, as `parsed`. Its text is parsed once per row, however many of its fields are read; OFFSET
 * keeps PostgreSQL from inlining the subquery.
 */
export const eventsIn = (event: string): string =>
  `LATERAL (SELECT ${event}.body::jsonb->'object' AS object OFFSET 0) parsed`

/** The newest event of each subscription, as `last`, with its object; none of those that had none since old ones were removed. */
export const lastOfSubscriptions = `
  (SELECT max(id) AS id FROM events WHERE entity_type = 'subscription' AND ${isSince('events', 'id')} GROUP BY entity_id) newest JOIN events last USING (id), ${eventsIn('last')}`

/** The taxes of rows, by row and rate: for each row of `rows`, by its column `by`, the sums of its JSON `taxes`. */
export const byRate = (rows: string, by: string, taxes: string): string => `
  SELECT ${by} AS id, tax->>'name' AS name, tax->>'percentage' AS percentage, sum((tax->>'amount')::bigint) AS amount
  FROM ${rows}, jsonb_array_elements(${taxes}) tax GROUP BY 1, 2, 3`

/**
 * Rows of `left` and `right` (each as `byRate` returns them) with different taxes at some rate; a missing one counts as
 * zero.
 */
export const otherTaxes = (left: string, right: string): string => `
  SELECT id FROM (${left}) a FULL JOIN (${right}) b USING (id, name, percentage)
  WHERE coalesce(a.amount, 0) <> coalesce(b.amount, 0)`
