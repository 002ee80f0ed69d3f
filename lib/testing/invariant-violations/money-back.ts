import { copy, first, paid, remove, set, setAtProvider, type ViolationFixtures } from './statements.ts'

const refunded = `refund_id IN (SELECT id FROM refunds WHERE status = 'refunded')`
const account = `concat_ws(' ', storefront_id, CASE WHEN testmode THEN 'test' ELSE 'live' END, currency, account) AS id`

export const moneyBack: ViolationFixtures = {
  // Invariant I2 of lib/modules/invariants/README.md.
  'refunds and chargebacks of an order do not exceed its paid amount': [
    set('reversal_lines', 'subtotal = subtotal + 1000000', refunded, 'order_id AS id'),
    set('orders', `status = 'pending'`, 'reversed_subtotal > 0'),
  ],
  'refunds and chargebacks of a line do not exceed its subtotal': [
    set('reversal_lines', 'subtotal = subtotal + 1000000', refunded, 'order_line_id AS id'),
  ],
  'the returned tax of each rate does not exceed the charged tax': [
    set('reversal_lines', `taxes = jsonb_set(taxes, '{0,amount}', '"1000000"')`, refunded, 'order_id AS id'),
    set(
      'reversal_lines',
      `taxes = jsonb_set(taxes, '{0,name}', '"Another"')`,
      `${refunded} AND total > subtotal`,
      'order_id AS id',
    ),
  ],
  'the returned sums of an order are the sums of its refunds and chargebacks': [
    set('orders', 'reversed_subtotal = reversed_subtotal + 1', 'reversed_subtotal > 0'),
    set('orders', 'refunding_subtotal = refunding_subtotal + 1', paid),
    set('refunds', `status = 'failed'`, `status = 'refunded' AND subtotal > 0`, 'order_id AS id'),
    set('chargebacks', `status = 'lost'`, `status = 'won'`, 'order_id AS id'),
  ],
  'the returned sums of an order are at most its subtotal': [
    set('orders', 'reversed_subtotal = subtotal, refunding_subtotal = 1', paid),
    set('orders', 'refunding_subtotal = 1', `status = 'pending'`),
    set('orders', 'reversed_subtotal = 1', 'credited_order_id IS NOT NULL AND subtotal > 0'),
  ],
  'the amounts of a refund are the sums of its lines': [
    set('refunds', 'total = total + 1'),
    set('refunds', `tax_summary = '[]'`, 'total > subtotal'),
    set('reversal_lines', 'subtotal = subtotal - 1', 'refund_id IS NOT NULL', 'refund_id AS id'),
  ],
  'the allocated amount of a chargeback is the sum of its lines': [
    set('chargebacks', 'subtotal = subtotal + 1', `status = 'pending'`),
  ],
  'the total of a reversal line is its subtotal plus its taxes': [set('reversal_lines', 'total = total + 1')],
  'a dispute is allocated at most the remaining amount of its order': [
    set(
      'orders',
      'reversed_subtotal = subtotal - 1',
      `id IN (SELECT order_id FROM chargebacks WHERE status = 'pending' AND total < amount)`,
      `(SELECT min(c.id) FROM chargebacks c WHERE c.order_id = orders.id AND c.status = 'pending' AND c.total < c.amount)`,
    ),
  ],
  'a chargeback under review or rejected has no allocation': [
    set('chargebacks', 'total = 1', `status = 'requires_amount_review'`),
    set('chargebacks', `status = 'rejected'`, `status = 'pending'`),
  ],
  'a refund or chargeback has the currency and customer of a paid sale': [
    set('refunds', `currency = 'XXX'`),
    set('chargebacks', `customer_id = 'another'`),
    set('refunds', `order_id = ${first('orders', 'credited_order_id IS NOT NULL')}`),
  ],

  'a ledger transaction sums to zero': [set('ledger_entries', 'amount = amount + 1', 'true', 'transaction_id AS id')],
  'the ledger balances': [set('ledger_entries', 'amount = amount + 1', 'true', 'currency AS id')],
  'a ledger transaction has one cause': [
    set('ledger_entries', `cause = 'another'`, 'true', 'transaction_id AS id'),
    set('ledger_entries', 'order_id = NULL', `order_id IS NOT NULL`, 'transaction_id AS id'),
  ],
  'the balance of an account is the sum of its entries': [
    `UPDATE ledger_accounts SET amount = amount + 1 WHERE ctid = (SELECT min(ctid) FROM ledger_accounts) RETURNING ${account}`,
    `DELETE FROM ledger_accounts WHERE ctid = (SELECT min(ctid) FROM ledger_accounts WHERE amount <> 0) RETURNING ${account}`,
    set('ledger_entries', 'amount = amount + 1', 'true', account),
  ],
  'each movement of money is posted once with its amounts': [
    `DELETE FROM ledger_entries WHERE subject_id = ${first('orders', paid)} RETURNING subject_id AS id`,
    ...[
      'order.tax_corrected',
      'refund.processing',
      'refund.completed',
      'refund.failed',
      'chargeback.received',
      'chargeback.lost',
      'chargeback.accepted',
      'chargeback.won',
      'return.received',
      'return.paid',
    ].map((cause) => set('ledger_entries', 'amount = amount + 1', `cause = '${cause}'`, 'subject_id AS id')),
    set('ledger_entries', `currency = 'XXX'`, `cause = 'order.paid'`, 'subject_id AS id'),
    copy('ledger_entries', `cause = 'order.paid'`, 'subject_id AS id', { subject_id: 'order_none' }),
    set('refunds', `status = 'processing'`, `status = 'queued'`),
    ...['payout.created', 'payout.returned', 'payout.canceled'].map((cause) =>
      set('ledger_entries', 'amount = amount + 1', `cause = '${cause}'`, 'subject_id AS id'),
    ),
    set('payouts', `status = 'returned'`, `status = 'exported'`),
    remove('payouts', `status = 'canceled'`),
    set('chargebacks', `status = 'pending'`, `status = 'requires_amount_review'`),
  ],
  'a cause is posted at most once per subject': [copy('ledger_entries')],
  'neither the fee nor the merchant share of a sale is negative': [
    set('ledger_entries', 'amount = 1', `cause = 'order.paid' AND account = 'platform_fee'`),
  ],
  'the returned part of a fee does not exceed the fee': [
    set('refunds', 'fee_returned = 999999', `status = 'refunded'`, 'order_id AS id'),
  ],
  'the money that moved for an order agrees with its state': [
    set('ledger_entries', 'amount = amount + 1', `account = 'provider_clearing'`, 'order_id AS id'),
    set('chargebacks', `status = 'won'`, `status = 'lost'`, 'order_id AS id'),
  ],
  'an account agrees with the state of its objects': [
    ...['provider_clearing', 'tax_payable', 'refunds', 'chargebacks'].map(
      (name) =>
        `UPDATE ledger_accounts SET amount = amount + 1 WHERE ctid = (SELECT min(ctid) FROM ledger_accounts WHERE account = '${name}') RETURNING ${account}`,
    ),
    `DELETE FROM ledger_accounts WHERE ctid = (SELECT min(ctid) FROM ledger_accounts WHERE account = 'provider_clearing' AND amount <> 0) RETURNING ${account}`,
  ],
  'the total of a bank file is the sum of its payouts': [
    set('payout_batches', 'count = count + 1'),
    set('payouts', 'amount = amount + 1', 'batch_id IS NOT NULL', 'batch_id AS id'),
  ],
  'an exported payout is in a bank file and has a bank account': [
    set('payouts', `status = 'requested'`, `status = 'exported'`),
    set('payouts', 'account_id = NULL', `status = 'exported'`),
    set('payouts', 'by_hand = true', `status = 'exported'`),
  ],

  // Invariant I15 of lib/modules/invariants/README.md.
  'a refund has a credit note if and only if it is refunded': [
    set('refunds', 'credit_note_id = NULL', `status = 'refunded'`),
    set('refunds', `status = 'failed'`, `status = 'refunded'`),
    set(
      'orders',
      'total = total + 1',
      'id IN (SELECT credit_note_id FROM refunds)',
      '(SELECT r.id FROM refunds r WHERE r.credit_note_id = orders.id)',
    ),
  ],
  'a chargeback has a credit note if and only if it is accepted or lost': [
    set('chargebacks', `status = 'won'`, `status = 'lost'`),
    set('chargebacks', `credit_note_id = NULL`, `status = 'accepted'`),
  ],
  'an order that was written off after its invoice has one credit note of the whole invoice': [
    set(
      'orders',
      `invoice_number = 'TEST-INV-2026-999999', invoice_scope = storefront_id`,
      `status = 'canceled' AND invoice_number IS NULL`,
    ),
  ],
  'a credit note belongs to one refund, one chargeback, or an order that was written off': [
    copy('orders', 'credited_order_id IS NOT NULL'),
  ],
  'a replaced invoice has one credit note, one replacing invoice, and one refund of its tax': [
    set(
      'orders',
      'subtotal = subtotal + 1, total = total + 1',
      'replaces_order_id IS NOT NULL',
      'replaces_order_id AS id',
    ),
    set(
      'orders',
      'replaces_order_id = NULL',
      'replaces_order_id IS NOT NULL',
      '(SELECT o.id FROM orders o WHERE o.replaced_by_id = orders.id)',
    ),
    set('refunds', 'total = total + 1', 'subtotal = 0', 'order_id AS id'),
    copy('refunds', 'subtotal = 0', 'order_id AS id', { credit_note_id: null }),
  ],
  'a refund that was not sent has no ledger entries': [
    set('ledger_entries', `subject_id = ${first('refunds', `status = 'pending'`)}`, 'true', 'subject_id AS id'),
    setAtProvider(
      'sandbox_refunds',
      `idempotency_key = ${first('refunds', `status = 'canceled'`)}`,
      'true',
      'idempotency_key AS id',
    ),
  ],
  'a refund or chargeback has an end time if and only if it has an outcome': [
    set('refunds', 'finished_at = NULL', `status = 'refunded'`),
    set('chargebacks', 'finished_at = now()', `status = 'pending'`),
  ],
}
