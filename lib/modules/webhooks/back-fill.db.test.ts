import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { oldDatabase } from '../../testing/old-database.ts'

const migrationsBefore = (name: string) =>
  readdirSync('prisma/migrations').filter((folder) => /^\d/.test(folder) && folder < name)

it('a delivery that waits at the upgrade is in the stream of its endpoint, and due unless it failed or is planned', async () => {
  const name = '20261123050000_streams'
  const { client, migrate, drop } = await oldDatabase('streams', ...migrationsBefore(name))
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO clocks (storefront_id, ahead_seconds) VALUES ('storefront_1', 864000);
      INSERT INTO webhook_endpoints (id, storefront_id, testmode, slot, url, claimed_url, sealed_secret, enabled_events, created_at)
        VALUES ('webhook_1', 'storefront_1', true, 1, 'https://a.example/', 'https://a.example/', '', '{order.paid}', now());
      INSERT INTO events (id, storefront_id, testmode, name, entity_type, entity_id, causation_id, body, created_at)
        SELECT 'webhook_event_' || n, 'storefront_1', true, 'order.paid', 'order', 'order_' || n, 'webhook_event_' || n, '{}', now()
        FROM generate_series(1, 4) n;
      INSERT INTO deliveries (id, storefront_id, testmode, event_id, endpoint_id, entity_id, causation_id, status, next_attempt_at, created_at)
        SELECT 'delivery_' || n, 'storefront_1', true, 'webhook_event_' || n, 'webhook_1', 'order_' || n, 'webhook_event_' || n, 'pending', now(), now()
        FROM generate_series(1, 4) n;
      INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, run_at, attempts, last_error, created_at)
        SELECT 'task_' || key, name, key, 'storefront_1', true, 'storefront', '{}', now() + due, now() + run, 3, error, now() FROM (VALUES
          ('webhook.deliver', 'delivery_1', interval '10 days', interval '10 minutes', NULL),
          ('webhook.deliver', 'delivery_2', interval '10 days', interval '5 minutes', 'Error: no'),
          ('webhook.deliver', 'delivery_3', interval '11 days', interval '1 day', NULL),
          ('order.other', 'delivery_4', interval '10 days', interval '10 minutes', NULL)) AS waiting (name, key, due, run, error)`)
    await migrate(name)
    const { rows } = await client.query(
      "SELECT key, stream, run_at <= now() AS due, run_at > now() + interval '23 hours' AS later FROM tasks ORDER BY key",
    )
    expect(rows).toEqual([
      { key: 'delivery_1', stream: 'webhook_1', due: true, later: false },
      { key: 'delivery_2', stream: 'webhook_1', due: false, later: false },
      { key: 'delivery_3', stream: 'webhook_1', due: false, later: true },
      { key: 'delivery_4', stream: null, due: false, later: false },
    ])
  } finally {
    await drop()
  }
})

it('a delivery that had failed at the upgrade failed at its last attempt, or was made when that is no longer kept', async () => {
  const name = '20261123091500_failed_deliveries'
  const { client, migrate, drop } = await oldDatabase('failed_deliveries', ...migrationsBefore(name))
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO webhook_endpoints (id, storefront_id, testmode, slot, url, claimed_url, sealed_secret, enabled_events, enabled_since, created_at)
        VALUES ('webhook_1', 'storefront_1', false, 1, 'https://a.example/', 'https://a.example/', '', '{order.paid}', now(), now());
      INSERT INTO events (id, storefront_id, testmode, name, entity_type, entity_id, causation_id, body, created_at)
        SELECT 'webhook_event_' || n, 'storefront_1', false, 'order.paid', 'order', 'order_' || n, 'webhook_event_' || n, '{}', now()
        FROM generate_series(1, 3) n;
      INSERT INTO deliveries (id, storefront_id, testmode, event_id, endpoint_id, entity_id, causation_id, status, created_at)
        SELECT 'delivery_' || n, 'storefront_1', false, 'webhook_event_' || n, 'webhook_1', 'order_' || n, 'webhook_event_' || n,
          CASE n WHEN 3 THEN 'delivered' ELSE 'failed' END, '2027-01-01T00:00:00Z' FROM generate_series(1, 3) n;
      INSERT INTO delivery_attempts (id, delivery_id, number, started_at, duration_ms)
        SELECT 'attempt_' || n, 'delivery_1', n, '2027-01-01T00:00:00Z'::timestamptz + n * interval '1 day', 5 FROM generate_series(1, 3) n`)
    await migrate(name)
    const { rows } = await client.query('SELECT id, failed_at FROM deliveries ORDER BY id')
    expect(rows).toEqual([
      { id: 'delivery_1', failed_at: new Date('2027-01-04T00:00:00Z') },
      { id: 'delivery_2', failed_at: new Date('2027-01-01T00:00:00Z') },
      { id: 'delivery_3', failed_at: null },
    ])
  } finally {
    await drop()
  }
})
