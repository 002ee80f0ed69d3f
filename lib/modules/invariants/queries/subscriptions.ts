import { eventsKeptSince, isSince, mayLackMethod, type Queries, wire } from './query.ts'

const periods = `(SELECT * FROM subscription_periods WHERE end_at > start_at)`
const afterAnother = `
  SELECT p.*, lag(start_at) OVER following AS start_before, lag(end_at) OVER following AS end_before,
    lag(created_at) OVER following AS billed_before
  FROM ${periods} p WINDOW following AS (PARTITION BY subscription_id ORDER BY start_at, end_at)`

const scheduling = `
  SELECT *, lag(kind) OVER following AS before, lead(kind) OVER following AS after
  FROM (SELECT id, entity_id, CASE
      WHEN name = 'subscription.update_scheduled' THEN CASE WHEN body LIKE '%"scheduledUpdate":null%' THEN 'discarded' ELSE 'scheduled' END
      WHEN name = 'subscription.updated' THEN CASE WHEN left(body, 200) LIKE '%"reason":"updated_on_renewal"%' THEN 'applied' END
      WHEN name LIKE 'subscription.canceled%' THEN 'discarded' END AS kind
    FROM events WHERE entity_type = 'subscription' AND ${isSince('events', 'id')}) changes WHERE kind IS NOT NULL
  WINDOW following AS (PARTITION BY entity_id ORDER BY id)`

export const subscriptions = {
  I3: {
    'a period is billed at most once': `
      SELECT min(id) AS id FROM ${periods} p GROUP BY subscription_id, start_at HAVING count(*) > 1`,
    'a period does not begin before the end of the previous period': `SELECT id FROM (${afterAnother}) p WHERE start_at < end_before`,
    'consecutive periods have no gap, except for a trial, a pause, or a suspension': `
      SELECT p.id FROM (SELECT * FROM (${afterAnother}) p WHERE start_at > end_before AND start_before >= ${eventsKeptSince}) p
      WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = p.subscription_id AND e.name LIKE 'subscription.%'
        AND e.created_at <= p.start_at AND (e.body::json->'object'->>'trialUntil' = ${wire('p.start_at')}
          OR (e.created_at >= least(p.start_before, p.billed_before) AND e.body::json->'object'->>'status' = 'paused')))
      AND NOT EXISTS (SELECT 1 FROM subscriptions s JOIN storefronts f ON f.id = s.storefront_id WHERE s.id = p.subscription_id
        AND p.end_before < CASE WHEN s.testmode THEN f.resumed_test_at ELSE f.resumed_at END)`,
    'an order bills at most one period of a subscription': `
      SELECT order_id AS id FROM subscription_periods WHERE order_id IS NOT NULL GROUP BY order_id, subscription_id HAVING count(*) > 1`,
    'a billed period has an order': `
      SELECT p.id FROM subscription_periods p LEFT JOIN orders o ON o.id = p.order_id
      WHERE p.order_id IS NOT NULL AND (o.id IS NULL OR o.subscription_id IS DISTINCT FROM p.subscription_id AND o.checkout_id IS NULL)`,
    'the current period of a subscription is the period that was billed last': `
      SELECT s.id FROM subscriptions s WHERE s.period_start IS NOT NULL AND NOT EXISTS (SELECT 1 FROM subscription_periods p
        WHERE p.subscription_id = s.id AND p.start_at = s.period_start AND p.end_at = s.period_end)
      UNION ALL SELECT s.id FROM subscriptions s JOIN ${periods} p ON p.subscription_id = s.id WHERE p.start_at > s.period_start
      UNION ALL SELECT id FROM subscriptions WHERE period_end > renewed_until OR (period_end < renewed_until AND trial_until IS NULL AND ended_at IS NULL)`,
  },

  I8: {
    'a canceled subscription has no scheduled update': `
      SELECT id FROM subscriptions WHERE status IN ('on_grace_period', 'canceled') AND scheduled_update IS NOT NULL`,
    'a scheduled update is applied once, and only if it was not discarded': `
      SELECT id FROM (${scheduling}) changes WHERE kind = 'applied'
        AND (before <> 'scheduled' OR (before IS NULL AND ${isSince('events', 'entity_id')}))`,
    'a scheduled update has its event, and is neither applied nor discarded': `
      SELECT s.id FROM subscriptions s LEFT JOIN (${scheduling}) changes ON changes.entity_id = s.id AND changes.after IS NULL
      WHERE s.scheduled_update IS NOT NULL
        AND (changes.kind <> 'scheduled' OR (changes.kind IS NULL AND ${isSince('events', 's.id')}))`,
  },

  I9: {
    'the status of an object agrees with its times': `
      SELECT id FROM subscriptions WHERE (status IN ('active', 'trial', 'on_grace_period', 'paused')) <> (started_at IS NOT NULL AND ended_at IS NULL)
      OR (status = 'canceled') <> (ended_at IS NOT NULL)
      OR (status = 'trial' AND trial_until IS DISTINCT FROM renewed_until) OR (status IN ('active', 'paused', 'canceled', 'created') AND trial_until IS NOT NULL)
      OR (status IN ('on_grace_period', 'canceled') AND started_at IS NOT NULL) <> (canceled_at IS NOT NULL)
      OR (cancellation_reason IS NOT NULL AND canceled_at IS NULL)
      OR (status = 'on_grace_period') <> (resumes_to IS NOT NULL) OR (resumes_to = 'trial') <> (trial_until IS NOT NULL)`,
    'a running subscription has a renewal date, and a payment method or an email that asks for one': `
      SELECT s.id FROM subscriptions s JOIN checkout_lines l ON l.id = s.checkout_line_id
      WHERE started_at IS NOT NULL AND ended_at IS NULL AND (renewed_until IS NULL OR anchor_at IS NULL OR (mandate_id IS NULL AND l.unit_price > 0 AND NOT ${mayLackMethod('s')}))`,
    'no subscription is charged on a mandate that a dispute ended': `
      SELECT s.id FROM subscriptions s JOIN mandates m ON m.id = s.mandate_id
      WHERE m.disputed_at IS NOT NULL AND s.status <> 'canceled'`,
    'the recovery of a paid, canceled, or expired order has ended': `
      SELECT r.id FROM recoveries r JOIN orders o ON o.id = r.order_id
      WHERE (r.status = 'open' AND o.status <> 'pending') OR (r.status = 'recovered') <> (o.status = 'paid' AND r.status <> 'ended')
        OR (r.status = 'open') <> (r.finished_at IS NULL)
      UNION ALL SELECT o.id FROM orders o WHERE o.status = 'pending' AND o.invoice_number IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM recoveries r WHERE r.order_id = o.id AND r.status = 'open')
        AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.open_order_id = o.id)`,
  },

  I16: {
    'a subscription has at most one open fast-forward': `
      SELECT subscription_id AS id FROM fast_forwards WHERE open_subscription_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1
      UNION ALL SELECT id FROM fast_forwards WHERE open_subscription_id <> subscription_id`,
    'an order has at most one open simulated payment': `
      SELECT order_id AS id FROM simulations WHERE open_order_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1
      UNION ALL SELECT id FROM simulations WHERE open_order_id <> order_id`,
  },

  I17: {
    'a parked amount is waived when the subscription ends': `
      SELECT id FROM subscriptions WHERE status IN ('created', 'canceled') AND parked IS NOT NULL`,
    'a parked amount is billed with the next period': `
      SELECT s.id FROM subscriptions s, jsonb_array_elements(s.parked) line
      WHERE s.period_start IS NULL OR (line->>'from')::timestamptz < s.period_start`,
  },
} as const satisfies Queries
