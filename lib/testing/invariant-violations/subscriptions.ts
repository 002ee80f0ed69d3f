import { copy, first, following, remove, set, type ViolationFixtures } from './statements.ts'

export const subscriptions: ViolationFixtures = {
  // I3
  'a period is billed once': [copy('subscription_periods', 'end_at > start_at')],
  'no period begins before the one before it ends': [
    set('subscription_periods', `start_at = start_at - interval '1 day'`, following),
  ],
  'two periods have no gap between them, except for a trial, a pause or a suspension': [
    set('subscription_periods', `start_at = start_at + interval '1 day'`, following),
  ],
  'an order bills one period of a subscription at most': [
    set(
      'subscription_periods',
      `order_id = (SELECT order_id FROM subscription_periods p WHERE p.subscription_id = subscription_periods.subscription_id AND p.end_at = subscription_periods.start_at)`,
      `${following} AND order_id IS NOT NULL`,
      'order_id AS id',
    ),
  ],
  'a period that was billed has its order': [
    set('subscription_periods', `order_id = 'order_none'`, 'order_id IS NOT NULL'),
    set(
      'orders',
      `subscription_id = NULL`,
      `id IN (SELECT order_id FROM subscription_periods) AND checkout_id IS NULL`,
      `(SELECT p.id FROM subscription_periods p WHERE p.order_id = orders.id)`,
    ),
  ],
  'a subscription is in the period that was billed last': [
    set('subscriptions', `period_end = period_end - interval '1 day'`, `status = 'active'`),
    remove(
      'subscription_periods',
      `start_at = (SELECT period_start FROM subscriptions s WHERE s.id = subscription_id) AND end_at > start_at`,
      'subscription_id AS id',
    ),
    set('subscriptions', `renewed_until = renewed_until + interval '1 day'`, `status = 'active'`),
  ],

  // I8
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

  // I9
  'a status agrees with its times': [
    set('subscriptions', 'ended_at = now()', `status = 'active'`),
    set('subscriptions', 'canceled_at = NULL, cancellation_reason = NULL', `status = 'on_grace_period'`),
    set('subscriptions', 'trial_until = NULL', `status = 'trial'`),
    set('subscriptions', 'canceled_at = now()', `status = 'active'`),
    set('subscriptions', `resumes_to = 'paused'`, `status = 'active'`),
    set('subscriptions', 'resumes_to = NULL', `status = 'on_grace_period'`),
  ],
  'a running subscription has an end of its paid time, and a payment method, or its customer is asked for one': [
    set(
      'subscriptions',
      'mandate_id = NULL',
      `status = 'active' AND mandate_id IS NOT NULL
        AND customer_id NOT IN (SELECT customer_id FROM mandates WHERE disputed_at IS NOT NULL)`,
    ),
  ],
  'no subscription is charged on a mandate that a dispute ended': [
    `UPDATE mandates SET disputed_at = '2100-01-01' WHERE id = ${first('subscriptions', `status = 'active' AND mandate_id IS NOT NULL`, 'mandate_id')}
      RETURNING (SELECT id FROM subscriptions WHERE mandate_id = mandates.id)`,
  ],
  'a recovery is over when its order is': [
    set('recoveries', `status = 'open'`, `status = 'recovered'`),
    set('recoveries', 'finished_at = NULL', `status = 'recovered'`),
  ],

  // I19
  'a subscription shows an order in recovery with its total, and shows no recovery if no order is': [
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
  'the time of an unpaid order does not count as paid, and all other time does': [
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

  // I16
  'one fast-forward of a subscription at a time': [
    copy('fast_forwards', 'open_subscription_id IS NOT NULL', 'subscription_id AS id'),
    set('fast_forwards', `open_subscription_id = 'another'`),
  ],
  'one simulated payment of an order at a time': [
    copy('simulations', 'open_order_id IS NOT NULL', 'order_id AS id'),
    set('simulations', `open_order_id = 'another'`),
  ],

  // I17
  'a parked amount is waived when the subscription ends': [
    set('subscriptions', `parked = '[]'`, `status = 'canceled'`),
  ],
  'a parked amount is billed with the next period': [
    set('subscriptions', `period_start = period_start + interval '100 days'`, 'parked IS NOT NULL'),
  ],
}
