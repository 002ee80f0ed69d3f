/**
 * SQL statements that violate an invariant, by the name of the invariant. Each statement returns the `id` that the
 * check must find. The statements need the data of lib/testing/seed-everything.ts, and a database without constraints.
 */
export type ViolationFixtures = Readonly<Record<string, readonly string[]>>

export const first = (table: string, where = 'true', id = 'id') => `(SELECT min(${id}) FROM ${table} WHERE ${where})`

export const set = (table: string, change: string, where = 'true', answers = 'id') =>
  `UPDATE ${table} SET ${change} WHERE id = ${first(table, where)} RETURNING ${answers}`

export const setAtProvider = (table: string, change: string, where = 'true', answers = 'ref AS id') =>
  `UPDATE ${table} SET ${change} WHERE ref = ${first(table, where, 'ref')} RETURNING ${answers}`

export const remove = (table: string, where = 'true', answers = 'id') =>
  `DELETE FROM ${table} WHERE id = ${first(table, where)} RETURNING ${answers}`

/**
 * Returns an SQL statement that copies a row. The id of the copy sorts before all other ids, unless `differences`
 * contains an id.
 */
export const copy = (table: string, where = 'true', answers = 'id', differences: object = {}) => `
  INSERT INTO ${table} SELECT (jsonb_populate_record(original, '${JSON.stringify({ id: '!violation', ...differences })}'::jsonb)).*
  FROM ${table} original WHERE id = ${first(table, where)} RETURNING ${answers}`

export const foreign = (of: string, table: string) =>
  `(SELECT min(other.id) FROM ${table} other WHERE other.storefront_id <> ${of}.storefront_id)`

export const paid = `status = 'paid' AND total > 0 AND credited_order_id IS NULL`
/**
 * The SQL condition for a period that starts when an earlier period of the same subscription ends. Excludes
 * subscriptions that were ever paused.
 */
export const following = `EXISTS (SELECT 1 FROM subscription_periods p WHERE p.subscription_id = subscription_periods.subscription_id
  AND p.end_at = subscription_periods.start_at AND p.start_at < p.end_at) AND end_at > start_at
  AND subscription_id NOT IN (SELECT entity_id FROM events WHERE body LIKE '%"status":"paused"%')`

const charged = `status = 'active' AND mandate_id IS NOT NULL AND customer_id NOT IN (SELECT customer_id FROM mandates WHERE disputed_at IS NOT NULL)`

/**
 * Returns two statements that remove the payment method of a subscription. The second statement also gives the customer
 * a disputed payment method of another purchase.
 */
export const lostMethods = (answers: string): string[] => [
  set('subscriptions', 'mandate_id = NULL', charged, answers),
  `WITH disputed AS (${copy('mandates', `id = ${first('subscriptions', charged, 'mandate_id')}`, 'id', { disputed_at: '2026-01-01T00:00:00Z' })})
    ${set('subscriptions', 'mandate_id = NULL', charged, answers)}`,
]
