import { copy, first, following, paid, remove, set, type ViolationFixtures } from './statements.ts'

export const events: ViolationFixtures = {
  // Invariant I6 of lib/modules/invariants/README.md.
  'an event that can happen once is emitted at most once': [
    copy('events', `name = 'order.paid'`),
    copy('events', `name = 'subscription.started'`),
    copy('events', `name = 'refund.completed'`),
  ],
  'a paid order, a paid checkout, and a started subscription each have an event': [
    'order.paid',
    'checkout.paid',
    'subscription.started',
  ].map((name) => remove('events', `name = '${name}'`, 'entity_id AS id')),
  'a canceled or expired object and a failed charge each have an event': [
    ...[
      'order.canceled',
      'checkout.canceled',
      'subscription.canceled_for_nonpayment',
      'subscription.cancellation_grace_period_completed',
    ].map((name) => remove('events', `name = '${name}'`, 'entity_id AS id')),
    remove('events', `name = 'order.payment_failed'`, '(SELECT id FROM recoveries WHERE order_id = entity_id)'),
  ],
  'the outcome of a refund has an event': ['refund.completed', 'refund.failed', 'refund.canceled'].map((name) =>
    remove('events', `name = '${name}'`, 'entity_id AS id'),
  ),
  'a received chargeback and a reversed chargeback each have an event': [
    remove('events', `name = 'order.chargeback_received'`, `body::json->'object'->>'id' AS id`),
    remove('events', `name = 'order.chargeback_reversed'`, `body::json->'object'->>'id' AS id`),
    copy('events', `name = 'order.chargeback_received'`, `body::json->'object'->>'id' AS id`),
    remove(
      'chargebacks',
      `status = 'pending'`,
      `(SELECT e.id FROM events e WHERE e.body LIKE '%"object":{"id":"' || chargebacks.id || '"%')`,
    ),
  ],
  'an event of a renewal has a period': [
    `DELETE FROM subscription_periods WHERE subscription_id = ${first('subscription_periods', following, 'subscription_id')} RETURNING subscription_id AS id`,
  ],
  'an event agrees with the state of its object': [
    set(
      'orders',
      `status = 'pending'`,
      paid,
      `(SELECT e.id FROM events e WHERE e.entity_id = orders.id AND e.name = 'order.paid')`,
    ),
    remove(
      'recoveries',
      `status = 'recovered'`,
      `(SELECT e.id FROM events e WHERE e.entity_id = order_id AND e.name = 'order.payment_failed')`,
    ),
    remove(
      'subscriptions',
      `status = 'active'`,
      `(SELECT e.id FROM events e WHERE e.entity_id = subscriptions.id AND e.name = 'subscription.started')`,
    ),
  ],
  'the last event of a subscription shows its present state': [
    set('subscriptions', `renewed_until = renewed_until + interval '1 second'`, `status = 'active'`),
    set('subscriptions', `status = 'paused'`, `status = 'active'`),
    set('subscriptions', `scheduled_update = NULL`, 'scheduled_update IS NOT NULL'),
  ],
  'the columns of an event agree with its body': [
    set('events', `name = 'order.canceled'`, `name = 'order.paid'`),
    set('events', `created_at = created_at + interval '1 second'`),
    set('events', `body = replace(body, entity_id, 'order_none')`, `name = 'order.paid'`),
    set('events', 'testmode = NOT testmode'),
  ],

  // Invariant I7 of lib/modules/invariants/README.md.
  'an event has one delivery for each endpoint that had the event enabled': [
    remove('deliveries', 'true', 'event_id AS id'),
  ],
  'an event has at most one delivery per endpoint': [copy('deliveries')],
  'a delivery has an event': [
    set('deliveries', `entity_id = 'another'`),
    set('deliveries', `causation_id = 'another'`),
    set('deliveries', `event_id = 'webhook_event_none'`),
  ],
  'the attempt count of a delivery is the number of its attempts': [
    set('deliveries', 'attempts = attempts + 1', 'attempts > 0'),
    copy('delivery_attempts', 'true', 'delivery_id AS id', { number: 7 }),
    set('deliveries', 'first_answered_at = NULL', 'attempts > 0'),
  ],
  'a delivery has a next attempt if and only if it is pending': [
    set('deliveries', 'next_attempt_at = now()', `status = 'delivered'`),
    set('deliveries', 'next_attempt_at = NULL', `status = 'pending'`),
  ],

  'no event follows a final event': [
    copy('events', `name = 'order.paid'`, 'id', { id: 'webhook_event_zz' }),
    copy('events', `name = 'subscription.canceled_for_nonpayment'`, 'id', {
      id: 'webhook_event_zz',
      name: 'subscription.updated',
    }),
    copy('events', `name = 'refund.failed'`, 'id', { id: 'webhook_event_zz', name: 'refund.completed' }),
  ],
  'an ended object has the status of its final event': [
    set('subscriptions', `status = 'active'`, `status = 'canceled'`),
    set('orders', `status = 'pending'`, paid),
    set('orders', `status = 'paid'`, `status = 'canceled'`),
    set('checkouts', `status = 'created'`, `status = 'canceled'`),
    set('refunds', `status = 'processing'`, `status = 'refunded'`),
    set('chargebacks', `status = 'pending'`, `status = 'won'`),
  ],
  'the events of a subscription are in a possible order': [
    set('events', `name = 'subscription.resumed'`, `name = 'subscription.updated'`),
    set('events', `name = 'subscription.updated'`, `name = 'subscription.started'`),
  ],
}
