import type pg from 'pg'
import type { Bench } from './context.ts'
import { connected } from './copies.ts'

/** This file measures the delivery rate of thousands of webhooks. Their events are copies of one event. */

const lookEveryMs = 50
const patienceSeconds = 120

/**
 * Creates `count` deliveries that are due immediately, numbered from `first`, and measures the time until the last
 * delivery is recorded. A smaller warm-up round runs before the measurement, with the numbers from `first + count`.
 */
export function deliveriesPerSecond(
  { installation }: Bench,
  { eventId, first, count }: { eventId: string; first: number; count: number },
): Promise<number> {
  return connected(installation.databaseUrl, async (client) => {
    await deliver(client, eventId, first + count, Math.ceil(count / 5))
    return count / (await deliver(client, eventId, first, count))
  })
}

/** Returns the seconds from the commit of the copies until the last delivery is recorded. */
async function deliver(client: pg.Client, eventId: string, from: number, count: number): Promise<number> {
  await copyDeliveries(client, eventId, { from, count })
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const waiting = "SELECT 1 FROM tasks WHERE name = 'webhook.deliver' AND key >= $1 AND key <= $2 LIMIT 1"
  const range = [from, from + count - 1].map((n) => `delivery_${String(n).padStart(22, '0')}`)
  while ((await client.query(waiting, range)).rowCount !== 0) {
    if (elapsed() > patienceSeconds) throw new Error(`${count} webhooks were not delivered in ${patienceSeconds} s`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  return elapsed()
}

export async function copyDeliveries(
  client: pg.Client,
  eventId: string,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const copies = `
    INSERT INTO events SELECT (jsonb_populate_record(NULL::events, to_jsonb(e) || jsonb_build_object(
      'id', 'webhook_event_' || suffix, 'entity_id', 'one_off_product_' || suffix, 'causation_id', 'webhook_event_' || suffix))).*
    FROM (SELECT * FROM events WHERE id = $1) AS e, numbers`
  const deliveries = `
    INSERT INTO deliveries SELECT (jsonb_populate_record(NULL::deliveries, to_jsonb(d) || jsonb_build_object(
      'id', 'delivery_' || suffix, 'event_id', 'webhook_event_' || suffix, 'entity_id', 'one_off_product_' || suffix,
      'causation_id', 'webhook_event_' || suffix, 'status', 'pending', 'attempts', 0, 'started_at', NULL,
      'first_answered_at', NULL, 'next_attempt_at', created_at))).*
    FROM (SELECT * FROM deliveries WHERE event_id = $1) AS d, numbers`
  const tasks = `
    INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, run_at, created_at, stream)
    SELECT 'task_' || suffix, 'webhook.deliver', 'delivery_' || suffix, storefront_id, testmode,
      CASE WHEN testmode THEN 'storefront' ELSE 'real' END, jsonb_build_object('deliveryId', 'delivery_' || suffix, 'before', 0),
      created_at, now(), now(), endpoint_id
    FROM (SELECT * FROM deliveries WHERE event_id = $1) AS d, numbers`
  const numbers =
    "WITH numbers AS (SELECT lpad(n::text, 22, '0') AS suffix FROM generate_series($2::int, $3::int) AS n)"
  await client.query('BEGIN')
  for (const insert of [copies, deliveries, tasks])
    await client.query(`${numbers} ${insert}`, [eventId, from, from + count - 1])
  await client.query('COMMIT')
}
