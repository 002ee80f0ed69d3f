import { copy, first, following, lostMethods, remove, set, type ViolationFixtures } from './statements.ts'

export const subscriptions: ViolationFixtures = {
  // Invariant I3 of lib/modules/invariants/README.md.
  'a period is billed at most once': [copy('subscription_periods', 'end_at > start_at')],
  'a period does not begin before the end of the previous period': [
    set('subscription_periods', `start_at = start_at - interval '1 day'`, following),
  ],
  'consecutive periods have no gap, except for a trial, a pause, or a suspension': [
    set('subscription_periods', `start_at = start_at + interval '1 day'`, following),
  ],
  'an order bills at most one period of a subscription': [
    set(
      'subscription_periods',
      `order_id = (SELECT order_id FROM subscription_periods p WHERE p.subscription_id = subscription_periods.subscription_id AND p.end_at = subscription_periods.start_at)`,
      `${following} AND order_id IS NOT NULL`,
      'order_id AS id',
    ),
  ],
  'a billed period has an order': [
    set('subscription_periods', `order_id = 'order_none'`, 'order_id IS NOT NULL'),
    set(
      'orders',
      `subscription_id = NULL`,
      `id IN (SELECT order_id FROM subscription_periods) AND checkout_id IS NULL`,
      `(SELECT p.id FROM subscription_periods p WHERE p.order_id = orders.id)`,
    ),
  ],
  'the current period of a subscription is the period that was billed last': [
    set('subscriptions', `period_end = period_end - interval '1 day'`, `status = 'active'`),
    remove(
      'subscription_periods',
      `start_at = (SELECT period_start FROM subscriptions s WHERE s.id = subscription_id) AND end_at > start_at`,
      'subscription_id AS id',
    ),
    set('subscriptions', `renewed_until = renewed_until + interval '1 day'`, `status = 'active'`),
  ],

  'a canceled subscription has no scheduled update': [
    set('subscriptions', `scheduled_update = '{}'`, `status = 'canceled'`),
  ],
  'a scheduled update is applied once, and only if it was not discarded': [
    copy('events', `body LIKE '%"reason":"updated_on_renewal"%'`, 'id', { id: 'webhook_event_zz' }),
    remove(
      'events',
      `name = 'subscription.update_scheduled'`,
      `(SELECT e.id FROM events e WHERE e.entity_id = events.entity_id AND e.body LIKE '%"reason":"updated_on_renewal"%')`,
    ),
  ],
  'a scheduled update has its event, and is neither applied nor discarded': [
    set('subscriptions', `scheduled_update = '{}'`, `status = 'active' AND scheduled_update IS NULL`),
  ],

  // Invariant I9 of lib/modules/invariants/README.md.
  'the status of an object agrees with its times': [
    set('subscriptions', 'ended_at = now()', `status = 'active'`),
    set('subscriptions', 'canceled_at = NULL, cancellation_reason = NULL', `status = 'on_grace_period'`),
    set('subscriptions', 'trial_until = NULL', `status = 'trial'`),
    set('subscriptions', 'canceled_at = now()', `status = 'active'`),
    set('subscriptions', `resumes_to = 'paused'`, `status = 'active'`),
    set('subscriptions', 'resumes_to = NULL', `status = 'on_grace_period'`),
  ],
  'a running subscription has a renewal date, and a payment method or an email that asks for one': lostMethods('id'),
  'no subscription is charged on a mandate that a dispute ended': [
    `UPDATE mandates SET disputed_at = '2100-01-01' WHERE id = ${first('subscriptions', `status = 'active' AND mandate_id IS NOT NULL`, 'mandate_id')}
      RETURNING (SELECT id FROM subscriptions WHERE mandate_id = mandates.id)`,
  ],
  'the recovery of a paid, canceled, or expired order has ended': [
    set('recoveries', `status = 'open'`, `status = 'recovered'`),
    set('recoveries', 'finished_at = NULL', `status = 'recovered'`),
  ],

  // Invariant I19 of lib/modules/invariants/README.md.
  'a subscription shows a recovery if and only if an order is in recovery': [
    set(
      'recoveries',
      `status = 'open'`,
      `status = 'recovered' AND subscription_id IS NOT NULL`,
      'subscription_id AS id',
    ),
    set(
      'recoveries',
      `order_id = ${first('orders', 'credited_order_id IS NOT NULL')}`,
      `status = 'open' AND subscription_id IS NOT NULL`,
      'subscription_id AS id',
    ),
  ],
  'an order whose charge failed is in recovery until it is paid or written off': [
    remove(
      'recoveries',
      `status = 'open' AND order_id IN (SELECT order_id FROM payments WHERE status = 'failed')`,
      'order_id AS id',
    ),
  ],
  'the paid time of a subscription ends at its first unpaid order': [
    set(
      'subscription_periods',
      'order_id = NULL',
      `order_id IN (SELECT id FROM orders WHERE status = 'pending')`,
      'subscription_id AS id',
    ),
    set(
      'subscriptions',
      `renewed_until = started_at - interval '1 day'`,
      `status = 'active' AND id IN (SELECT subscription_id FROM orders WHERE status = 'pending')`,
    ),
  ],

  // Invariant I16 of lib/modules/invariants/README.md.
  'a subscription has at most one open fast-forward': [
    copy('fast_forwards', 'open_subscription_id IS NOT NULL', 'subscription_id AS id'),
    set('fast_forwards', `open_subscription_id = 'another'`),
  ],
  'an order has at most one open simulated payment': [
    copy('simulations', 'open_order_id IS NOT NULL', 'order_id AS id'),
    set('simulations', `open_order_id = 'another'`),
  ],

  'a parked amount is waived when the subscription ends': [
    set('subscriptions', `parked = '[]'`, `status = 'canceled'`),
  ],
  'a parked amount is billed with the next period': [
    set('subscriptions', `period_start = period_start + interval '100 days'`, 'parked IS NOT NULL'),
  ],
}
