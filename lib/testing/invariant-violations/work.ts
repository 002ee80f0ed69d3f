import { first, remove, set, type ViolationFixtures } from './statements.ts'

const task = (name: string, answers = 'key AS id', where = 'true') =>
  remove('tasks', `name = '${name}' AND ${where}`, answers)

export const work: ViolationFixtures = {
  // Invariant W of lib/modules/invariants/README.md.
  'an open checkout has an expiry task': [
    task('checkout.expire', 'key AS id', `key IN (SELECT id FROM checkouts WHERE status IN ('created', 'failed'))`),
  ],
  'a running subscription has a renewal task, unless its renewals wait for a recovery': [
    task(
      'subscription.period_end',
      `split_part(key, ' ', 1) AS id`,
      `EXISTS (SELECT 1 FROM subscriptions s WHERE s.status = 'on_grace_period' AND key LIKE s.id || '%')`,
    ),
    set('subscriptions', `renewed_until = renewed_until + interval '1 second'`, `status = 'trial'`),
  ],
  'a charge that was not sent yet has a task': [set('payments', `status = 'created'`, 'mandate_id IS NOT NULL')],
  'a pending direct debit has a task': [task('sandbox.settle_direct_debit')],
  'an open verification has a task': [
    task(
      'billing_update.end_verification',
      'key AS id',
      'key IN (SELECT id FROM orders WHERE verifying_subscription_id IS NOT NULL)',
    ),
  ],
  'a direct debit that will be returned has a task': [task('sandbox.return_direct_debit')],
  'an open recovery has a task for its next step, or an open payment attempt': [
    task('recovery.step', `split_part(key, ' ', 1) AS id`),
  ],
  'an open fast-forward has a task or an open order': [
    task('testmode.fast_forward'),
    set(
      'orders',
      `status = 'paid'`,
      `id IN (SELECT order_id FROM fast_forwards WHERE open_subscription_id IS NOT NULL)`,
      '(SELECT f.id FROM fast_forwards f WHERE f.order_id = orders.id)',
    ),
  ],
  'an open simulation has a task': [task('testmode.simulate')],
  'an open delivery has a task': [task('webhook.deliver')],
  'a queued email has a task': [set('emails', `status = 'queued'`)],
  'a review in test mode has a task': [task('catalog.approve_in_test_mode')],
  'a pending refund has the task that ends its cancel window': [task('refund.window_end')],
  'a refund that is processing has a task': [set('refunds', `status = 'processing'`, `status = 'refunded'`)],
  'a queued refund waits for a larger balance': [
    `UPDATE ledger_accounts SET has_waiters = false WHERE has_waiters RETURNING ${first('refunds', `status = 'queued'`)} AS id`,
    `UPDATE ledger_accounts SET amount = -999999 WHERE has_waiters RETURNING ${first('refunds', `status = 'queued'`)} AS id`,
    // This balance is one cent less than the refund, so it covers the refund only together with the returned part of
    // the fee.
    `UPDATE ledger_accounts a SET amount = 1 - r.subtotal FROM refunds r WHERE a.has_waiters AND r.id = ${first('refunds', `status = 'queued'`)} RETURNING r.id`,
  ],
}
