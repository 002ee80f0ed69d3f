import { endVerification } from '../../billing-updates/tasks.ts'
import { approveInTestMode } from '../../catalog/tasks.ts'
import { expireCheckout } from '../../checkouts/tasks.ts'
import { sendEmail } from '../../emails/tasks.ts'
import { deliverWebhook } from '../../events/tasks.ts'
import { balanceIncreased } from '../../ledger/tasks.ts'
import { recoveryStep } from '../../recovery/tasks.ts'
import { sendRefund, windowEnd } from '../../refunds/tasks.ts'
import { chargePayment, periodEnd } from '../../subscriptions/tasks.ts'
import { runFastForward, runSimulation } from '../../test-helpers/tasks.ts'
import { hasTask, type Queries, wire } from './query.ts'

// The task names are literals, because a module must not import a provider.
const settleDirectDebit = { name: 'sandbox.settle_direct_debit' }
const returnDirectDebit = { name: 'sandbox.return_direct_debit' }

export const work = {
  W: {
    'an open checkout has an expiry task': `
      SELECT c.id FROM checkouts c WHERE c.status IN ('created', 'failed') AND NOT ${hasTask(expireCheckout, 'c.id')}`,
    'a running subscription has a renewal task, unless its renewals wait for a recovery': `
      SELECT s.id FROM subscriptions s WHERE s.status IN ('active', 'trial', 'on_grace_period')
      AND NOT ${hasTask(periodEnd, `s.id || ' ' || ${wire('s.renewed_until')}`)}
      AND (s.status = 'on_grace_period' OR NOT EXISTS (SELECT 1 FROM recoveries r WHERE r.subscription_id = s.id AND r.status = 'open' AND r.collects <> 'change')
        AND NOT EXISTS (SELECT 1 FROM checkout_lines l JOIN orders o ON o.checkout_id = l.checkout_id
          JOIN recoveries r ON r.order_id = o.id WHERE l.id = s.checkout_line_id AND r.status = 'open'))`,
    'a charge that was not sent yet has a task': `
      SELECT p.id FROM payments p WHERE p.mandate_id IS NOT NULL AND p.status = 'created' AND NOT ${hasTask(chargePayment, 'p.id')}`,
    'a pending direct debit has a task': `
      SELECT s.ref AS id FROM sandbox_payments s WHERE s.status = 'pending' AND NOT ${hasTask(settleDirectDebit, 's.ref')}`,
    'an open verification has a task': `
      SELECT o.id FROM orders o WHERE o.verifying_subscription_id IS NOT NULL AND NOT ${hasTask(endVerification, 'o.id')}`,
    'a direct debit that will be returned has a task': `
      SELECT s.ref AS id FROM sandbox_payments s WHERE s.returns AND s.status = 'paid'
      AND NOT EXISTS (SELECT 1 FROM sandbox_chargebacks c WHERE c.payment_ref = s.ref) AND NOT ${hasTask(returnDirectDebit, 's.ref')}`,
    'an open recovery has a task for its next step, or an open payment attempt': `
      SELECT r.id FROM recoveries r WHERE r.status = 'open'
      AND NOT ${hasTask(recoveryStep, `r.id || ' ' || r.steps_done`)}
      AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.open_order_id = r.order_id)`,
    'an open fast-forward has a task or an open order': `
      SELECT f.id FROM fast_forwards f LEFT JOIN orders o ON o.id = f.order_id WHERE f.open_subscription_id IS NOT NULL
      AND CASE WHEN o.id IS NULL THEN NOT ${hasTask(runFastForward, 'f.id')} ELSE o.status <> 'pending' END`,
    'an open simulation has a task': `
      SELECT s.id FROM simulations s WHERE s.open_order_id IS NOT NULL AND NOT ${hasTask(runSimulation, 's.id')}`,
    'an open delivery has a task': `
      SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND NOT ${hasTask(deliverWebhook, 'd.id')}`,
    'a queued email has a task': `
      SELECT m.id FROM emails m WHERE m.status = 'queued' AND NOT ${hasTask(sendEmail, 'm.id')}`,
    'a review in test mode has a task': `
      SELECT p.id FROM products p WHERE p.testmode AND p.review IS NOT NULL AND NOT ${hasTask(approveInTestMode, 'p.id')}`,
    'a pending refund has the task that ends its cancel window': `
      SELECT r.id FROM refunds r WHERE r.status = 'pending' AND NOT ${hasTask(windowEnd, 'r.id')}`,
    'a refund that is processing has a task': `
      SELECT r.id FROM refunds r WHERE r.status = 'processing' AND NOT ${hasTask(sendRefund, 'r.id')}`,
    'a queued refund waits for a larger balance': `
      SELECT r.id FROM (SELECT DISTINCT ON (storefront_id, testmode, currency) * FROM refunds WHERE status = 'queued'
        ORDER BY storefront_id, testmode, currency, id) r
      JOIN orders o ON o.id = r.order_id
      LEFT JOIN ledger_entries e ON e.subject_id = r.order_id AND e.cause = 'order.paid' AND e.account = 'platform_fee',
      LATERAL (SELECT coalesce(sum(subtotal), 0) AS subtotal, coalesce(sum(fee_returned), 0) AS fee FROM refunds
        WHERE order_id = r.order_id AND status IN ('processing', 'refunded')) sent,
      LATERAL (SELECT greatest(0, round(-coalesce(e.amount, 0) * (sent.subtotal + r.subtotal) / o.subtotal) - sent.fee) AS fee) due,
      LATERAL (SELECT * FROM ledger_accounts a WHERE a.storefront_id = r.storefront_id AND a.testmode = r.testmode AND a.currency = r.currency
        AND a.account = 'merchant_balance') a
      WHERE (NOT a.has_waiters OR -a.amount >= r.subtotal - least(due.fee, r.subtotal))
      AND NOT ${hasTask(balanceIncreased, `r.storefront_id || CASE WHEN r.testmode THEN ' test ' ELSE ' live ' END || r.currency`)}`,
  },
} as const satisfies Queries
