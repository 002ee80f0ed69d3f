import { eventsKeptSince, isSale, isSince, lastOfSubscriptions, type Queries, wasReturned, wire } from './query.ts'

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')

const endOfSubscription = [
  'subscription.canceled_immediately',
  'subscription.canceled_for_nonpayment',
  'subscription.cancellation_grace_period_completed',
]
const ends = [
  ...endOfSubscription,
  'order.paid',
  'order.canceled',
  'checkout.paid',
  'checkout.expired',
  'checkout.canceled',
  'refund.completed',
  'refund.failed',
  'refund.canceled',
]

const isRenewal = `e.name = 'subscription.updated' AND left(e.body, 200) SIMILAR TO '%"reason":"(renewed|updated_on_renewal)"%'`

/** Counts the events of each chargeback. The entity of these events is the order, so the chargeback's id is read from the body. */
const ofChargebacks = `
  SELECT body::json->'object'->>'id' AS chargeback_id, entity_id AS order_id, count(*) FILTER (WHERE name = 'order.chargeback_received') AS received,
    count(*) FILTER (WHERE name = 'order.chargeback_reversed') AS reversed, max(id) AS id
  FROM events WHERE name LIKE 'order.chargeback%' GROUP BY 1, 2`

export const events = {
  I6: {
    'an event that can happen once is emitted at most once': `
      SELECT min(id) AS id FROM events WHERE name IN (${list([...ends, 'order.payment_failed', 'subscription.started'])})
      GROUP BY entity_id, name HAVING count(*) > 1 AND NOT ${wasReturned('entity_id')}`,
    'a paid order, a paid checkout, and a started subscription each have an event': `
      SELECT o.id FROM orders o WHERE o.status = 'paid' AND ${isSale('o')} AND ${isSince('events', 'o.id')} AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = o.id AND e.name = 'order.paid')
      UNION ALL SELECT c.id FROM checkouts c WHERE c.status = 'paid' AND ${isSince('events', 'c.id')} AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = c.id AND e.name = 'checkout.paid')
      UNION ALL SELECT s.id FROM subscriptions s WHERE s.started_at >= ${eventsKeptSince} AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = s.id AND e.name = 'subscription.started')`,
    'a canceled or expired object and a failed charge each have an event': `
      SELECT o.id FROM orders o WHERE o.status = 'canceled' AND ${isSince('events', 'o.id')} AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = o.id AND e.name = 'order.canceled')
      UNION ALL SELECT c.id FROM checkouts c WHERE c.status IN ('expired', 'canceled') AND ${isSince('events', 'c.id')} AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = c.id AND e.name = 'checkout.' || c.status)
      UNION ALL SELECT s.id FROM subscriptions s LEFT JOIN events e ON e.entity_id = s.id AND e.name IN (${list(endOfSubscription)})
        WHERE s.status = 'canceled' AND s.started_at IS NOT NULL AND s.ended_at >= ${eventsKeptSince} GROUP BY s.id HAVING count(e.id) <> 1
      UNION ALL SELECT r.id FROM recoveries r WHERE ${isSince('events', 'r.id')} AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = r.order_id AND e.name = 'order.payment_failed')`,
    'the outcome of a refund has an event': `
      SELECT r.id FROM refunds r LEFT JOIN events e ON e.entity_id = r.id
        AND e.name = 'refund.' || CASE r.status WHEN 'refunded' THEN 'completed' ELSE r.status END
      WHERE r.status IN ('refunded', 'failed', 'canceled') AND e.id IS NULL AND ${isSince('events', 'r.id')}`,
    'a received chargeback and a reversed chargeback each have an event': `
      SELECT c.id FROM chargebacks c LEFT JOIN (${ofChargebacks}) reported ON reported.chargeback_id = c.id AND reported.order_id = c.order_id
      WHERE ${isSince('events', 'c.id')}
        AND (coalesce(reported.received, 0) <> 1 OR coalesce(reported.reversed, 0) <> (c.status IN ('won', 'rejected'))::int)
      UNION ALL SELECT reported.id FROM (${ofChargebacks}) reported LEFT JOIN chargebacks c ON c.id = reported.chargeback_id WHERE c.id IS NULL`,
    'an event of a renewal has a period': `
      SELECT renewed.id FROM (SELECT e.entity_id AS id, count(*) AS renewals FROM events e WHERE ${isRenewal} GROUP BY 1) renewed
      LEFT JOIN (SELECT subscription_id AS id, count(*) AS periods FROM subscription_periods GROUP BY 1) billed USING (id)
      WHERE renewed.renewals > coalesce(billed.periods, 0)`,
    'an event agrees with the state of its object': `
      SELECT e.id FROM events e LEFT JOIN orders o ON o.id = e.entity_id WHERE e.name IN ('order.paid', 'order.canceled') AND o.status IS DISTINCT FROM split_part(e.name, '.', 2) AND NOT ${wasReturned('o.id')}
      UNION ALL SELECT e.id FROM events e LEFT JOIN recoveries r ON r.order_id = e.entity_id LEFT JOIN orders o ON o.id = e.entity_id
        WHERE e.name = 'order.payment_failed' AND r.id IS NULL AND o.status IS DISTINCT FROM 'canceled'
      UNION ALL SELECT e.id FROM events e LEFT JOIN subscriptions s ON s.id = e.entity_id WHERE e.name = 'subscription.started' AND s.started_at IS NULL`,
    'the last event of a subscription shows its present state': `
      SELECT s.id FROM subscriptions s, ${lastOfSubscriptions}
      WHERE last.entity_id = s.id AND (object->>'status' <> s.status OR object->>'renewedUntil' IS DISTINCT FROM ${wire('s.renewed_until')}
        OR object->>'trialUntil' IS DISTINCT FROM ${wire('s.trial_until')} OR object->>'canceledAt' IS DISTINCT FROM ${wire('s.canceled_at')}
        OR object->>'endedAt' IS DISTINCT FROM ${wire('s.ended_at')} OR (object->>'scheduledUpdate' IS NULL) <> (s.scheduled_update IS NULL))`,
    'the columns of an event agree with its body': `
      SELECT id FROM events WHERE NOT starts_with(body, '{"id":"' || id || '","resource":"webhook_event","eventName":"' || name || '","reason":')
      OR position('"entityType":"' || entity_type || '","entityId":"' || entity_id || '","testmode":' || testmode::text
        || ',"createdAt":"' || ${wire('created_at')} || '","object":{"id":"'
        || CASE WHEN name LIKE 'order.chargeback%' THEN '' ELSE entity_id || '"' END IN body) = 0`,
  },

  I18: {
    'no event follows a final event': `
      SELECT later.id FROM (SELECT entity_id, min(id) AS id FROM events WHERE name IN (${list(ends)}) GROUP BY 1) ended
      JOIN events later ON later.entity_id = ended.entity_id AND later.id > ended.id
      WHERE later.name NOT IN ('order.chargeback_received', 'order.chargeback_reversed') AND NOT ${wasReturned('later.entity_id')}`,
    'an ended object has the status of its final event': `
      SELECT s.id FROM subscriptions s JOIN events e ON e.entity_id = s.id WHERE e.name IN (${list(endOfSubscription)}) AND s.status <> 'canceled'
      UNION ALL SELECT o.id FROM orders o JOIN events e ON e.entity_id = o.id WHERE e.name IN ('order.paid', 'order.canceled') AND 'order.' || o.status <> e.name AND NOT ${wasReturned('o.id')}
      UNION ALL SELECT c.id FROM checkouts c JOIN events e ON e.entity_id = c.id
        WHERE e.name IN ('checkout.paid', 'checkout.expired', 'checkout.canceled') AND 'checkout.' || c.status <> e.name
      UNION ALL SELECT r.id FROM refunds r JOIN events e ON e.entity_id = r.id
        WHERE e.name <> 'refund.' || CASE r.status WHEN 'refunded' THEN 'completed' ELSE r.status END
      UNION ALL SELECT c.id FROM chargebacks c JOIN (${ofChargebacks}) reported ON reported.chargeback_id = c.id WHERE reported.reversed > 0 AND c.status NOT IN ('won', 'rejected')`,
    'the events of a subscription are in a possible order': `
      SELECT id FROM (SELECT e.id, e.name, e.entity_id, lag(e.body) OVER (PARTITION BY e.entity_id ORDER BY e.id) AS before
        FROM events e WHERE e.entity_type = 'subscription' AND ${isSince('events', 'e.id')}) event
      WHERE ((name = 'subscription.started') <> (before IS NULL) AND (name = 'subscription.started' OR ${isSince('events', 'entity_id')}))
        OR (name = 'subscription.resumed' AND before::json->'object'->>'status' <> 'on_grace_period')
        OR (name = 'subscription.cancellation_grace_period_completed' AND before::json->'object'->>'status' <> 'on_grace_period')`,
  },
} as const satisfies Queries
