import { isSale, type Queries } from './query.ts'

const owner = 'storefront_id, testmode, currency'
/** The sales that the ledger contains. An order whose direct debit was returned has an invoice, so its sale stays in the ledger. */
const sales = `(SELECT * FROM orders sold WHERE (status = 'paid' OR invoice_number IS NOT NULL) AND ${isSale('sold')})`
const returns = `(SELECT p.*, o.total, o.status = 'paid' OR EXISTS (SELECT 1 FROM payments later
    WHERE later.order_id = o.id AND later.return_ref IS NOT NULL AND later.id > p.id) AS is_paid_again
  FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.return_ref IS NOT NULL)`
const returned = (cause: string) =>
  `SELECT p.id AS subject_id, '${cause}' AS cause, p.order_id, p.storefront_id, p.testmode, p.currency`
const corrections = `(SELECT o.*, r.tax, r.is_returned FROM orders o
  LEFT JOIN (SELECT order_id, max(total) AS tax, bool_or(status = 'refunded') AS is_returned FROM refunds WHERE subtotal = 0 GROUP BY 1) r ON r.order_id = o.id
  WHERE o.replaced_by_id IS NOT NULL)`
const sale = `SELECT o.id AS subject_id, 'order.paid' AS cause, o.id AS order_id, ${owner}`
const refund = (cause: string) => `SELECT id AS subject_id, '${cause}' AS cause, order_id, ${owner}`
/** Disputes that the ledger contains, with the allocated amount and the fee. A rejected dispute, or a dispute under review, is not posted. */
const chargebacks = `(SELECT *, total - subtotal AS tax FROM chargebacks WHERE status NOT IN ('requires_amount_review', 'rejected'))`

/**
 * The expected entries, derived from the orders, refunds, and disputes. The service's fee and the merchant's share are compared as one amount, because only
 * the ledger divides them. The entries of a dispute are compared as one amount, because an order can be allocated to a dispute in several steps.
 */
const expected = `
  ${sale}, account, moved FROM ${sales} o, LATERAL (VALUES
    ('provider_clearing', total), ('tax_payable', subtotal - total), ('net', -subtotal)) entry (account, moved)
  UNION ALL ${returned('return.received')}, account, moved FROM ${returns} p, LATERAL (VALUES
    ('provider_clearing', -total), ('provider_fees', -return_fee), ('net', total + return_fee)) entry (account, moved)
  UNION ALL ${returned('return.paid')}, account, moved FROM ${returns} p, LATERAL (VALUES
    ('provider_clearing', total), ('net', -total)) entry (account, moved) WHERE is_paid_again
  UNION ALL SELECT id, 'order.written_off', id, ${owner}, account, moved FROM orders o, LATERAL (VALUES
    ('tax_payable', total - subtotal), ('merchant_balance', subtotal - total)) entry (account, moved)
    WHERE status = 'canceled' AND invoice_number IS NOT NULL
  UNION ALL SELECT o.id, 'order.tax_corrected', o.id, ${owner}, account, moved FROM ${corrections} o, LATERAL (VALUES
    ('tax_payable', tax), ('refunds', -tax)) entry (account, moved)
  UNION ALL ${refund('refund.processing')}, account, moved FROM refunds r, LATERAL (VALUES
    ('merchant_balance', subtotal - fee_returned), ('platform_fee', fee_returned), ('refunds', -subtotal)) entry (account, moved)
    WHERE status IN ('processing', 'refunded', 'failed')
  UNION ALL ${refund('refund.completed')}, account, moved FROM refunds r, LATERAL (VALUES
    ('provider_clearing', -total), ('tax_payable', CASE WHEN subtotal > 0 THEN total - subtotal ELSE 0 END),
    ('refunds', CASE WHEN subtotal > 0 THEN subtotal ELSE total END)) entry (account, moved)
    WHERE status = 'refunded'
  UNION ALL ${refund('refund.failed')}, account, moved FROM refunds r, LATERAL (VALUES
    ('merchant_balance', fee_returned - subtotal), ('platform_fee', -fee_returned), ('refunds', subtotal)) entry (account, moved)
    WHERE status = 'failed'
  UNION ALL ${refund('chargeback')}, account, sum(moved) FROM ${chargebacks} c, LATERAL (VALUES
    ('merchant_balance', provider_fee), ('provider_fees', -provider_fee),
    ('merchant_balance', CASE WHEN status <> 'won' THEN total ELSE 0 END),
    ('chargebacks', CASE WHEN status IN ('pending', 'evidence_submitted') THEN -total ELSE 0 END),
    ('provider_clearing', CASE WHEN status IN ('lost', 'accepted') THEN -total ELSE 0 END),
    ('tax_payable', CASE WHEN status IN ('lost', 'accepted') THEN tax ELSE 0 END),
    ('merchant_balance', CASE WHEN status IN ('lost', 'accepted') THEN -tax ELSE 0 END)) entry (account, moved)
    GROUP BY id, order_id, ${owner}, account
  UNION ALL SELECT id, 'payout.created', NULL, ${owner}, account, moved FROM payouts, LATERAL (VALUES
    ('merchant_balance', amount), ('payouts', -amount)) entry (account, moved)
  UNION ALL SELECT id, 'payout.' || status, NULL, ${owner}, account, moved FROM payouts, LATERAL (VALUES
    ('merchant_balance', -amount), ('payouts', amount)) entry (account, moved) WHERE status IN ('returned', 'canceled')`

const posted = `
  SELECT subject_id, CASE WHEN cause LIKE 'chargeback.%' THEN 'chargeback' ELSE cause END AS cause, order_id, ${owner},
    CASE WHEN cause IN ('order.paid', 'return.received', 'return.paid') AND account IN ('platform_fee', 'merchant_balance') THEN 'net' ELSE account END AS account, sum(amount) AS moved
  FROM ledger_entries GROUP BY 1, 2, 3, 4, 5, 6, 7
  HAVING sum(amount) <> 0`

const sumsByState = `
  SELECT ${owner}, account, sum(moved) AS moved FROM (
    SELECT ${owner}, account, moved FROM ${sales} o, LATERAL (VALUES ('provider_clearing', CASE WHEN status = 'paid' THEN total ELSE 0 END), ('tax_payable', subtotal - total)) entry (account, moved)
    UNION ALL SELECT ${owner}, 'tax_payable', total - subtotal FROM orders WHERE credited_order_id IS NOT NULL
    UNION ALL SELECT ${owner}, 'provider_clearing', -total FROM refunds WHERE status = 'refunded'
    UNION ALL SELECT ${owner}, 'refunds', -subtotal FROM refunds WHERE status = 'processing'
    UNION ALL SELECT ${owner}, 'refunds', -tax FROM ${corrections} o WHERE NOT is_returned
    UNION ALL SELECT ${owner}, 'provider_clearing', -total FROM chargebacks WHERE status IN ('accepted', 'lost')
    UNION ALL SELECT ${owner}, 'chargebacks', -total FROM chargebacks WHERE status IN ('pending', 'evidence_submitted')) each GROUP BY 1, 2, 3, 4`

const account = `concat_ws(' ', storefront_id, CASE WHEN testmode THEN 'test' ELSE 'live' END, currency, account)`

export const ledger = {
  I13: {
    'a ledger transaction sums to zero': `
      SELECT transaction_id AS id FROM ledger_entries GROUP BY transaction_id, currency HAVING sum(amount) <> 0`,
    'the ledger balances': `SELECT currency AS id FROM ledger_entries GROUP BY 1 HAVING sum(amount) <> 0`,
    'a ledger transaction has one cause': `
      SELECT transaction_id AS id FROM ledger_entries GROUP BY 1
      HAVING count(DISTINCT (subject_id, cause, order_id, storefront_id, testmode, currency)) > 1`,
    'the balance of an account is the sum of its entries': `
      SELECT ${account} AS id FROM (SELECT ${owner}, account, sum(amount) AS sum FROM ledger_entries GROUP BY 1, 2, 3, 4) e
      FULL JOIN ledger_accounts a USING (${owner}, account) WHERE coalesce(e.sum, 0) <> coalesce(a.amount, 0)`,
    'each movement of money is posted once with its amounts': `
      SELECT subject_id AS id FROM (SELECT * FROM (${expected}) expected WHERE moved <> 0) e FULL JOIN (${posted}) b USING (subject_id, cause, account)
      WHERE e.moved IS DISTINCT FROM b.moved
        OR (e.order_id, e.storefront_id, e.testmode, e.currency) IS DISTINCT FROM (b.order_id, b.storefront_id, b.testmode, b.currency)`,
    'a cause is posted at most once per subject': `
      SELECT min(id) AS id FROM ledger_entries GROUP BY subject_id, cause, account HAVING count(*) > 1`,
    'neither the fee nor the merchant share of a sale is negative': `
      SELECT id FROM ledger_entries WHERE cause = 'order.paid' AND account IN ('platform_fee', 'merchant_balance') AND amount > 0`,
    'the returned part of a fee does not exceed the fee': `
      SELECT back.order_id AS id FROM (SELECT order_id, sum(fee_returned) AS fee FROM refunds WHERE status IN ('processing', 'refunded') GROUP BY 1) back
      LEFT JOIN ledger_entries e ON e.subject_id = back.order_id AND e.cause = 'order.paid' AND e.account = 'platform_fee'
      WHERE back.fee > coalesce(-e.amount, 0)`,
    'the money that moved for an order agrees with its state': `
      SELECT o.id FROM orders o
      LEFT JOIN (SELECT order_id, sum(amount) AS moved FROM ledger_entries WHERE account = 'provider_clearing' GROUP BY 1) e ON e.order_id = o.id
      LEFT JOIN (SELECT order_id, sum(total) AS gone FROM refunds WHERE status = 'refunded' GROUP BY 1) r ON r.order_id = o.id
      LEFT JOIN (SELECT order_id, sum(total) AS gone FROM chargebacks WHERE status IN ('accepted', 'lost') GROUP BY 1) c ON c.order_id = o.id
      WHERE coalesce(e.moved, 0) <> CASE WHEN o.status = 'paid' AND ${isSale('o')} THEN o.total ELSE 0 END - coalesce(r.gone, 0) - coalesce(c.gone, 0)`,
    'an account agrees with the state of its objects': `
      SELECT ${account} AS id FROM (SELECT * FROM ledger_accounts WHERE account IN ('provider_clearing', 'tax_payable', 'refunds', 'chargebacks')) a
      FULL JOIN (${sumsByState}) s USING (${owner}, account) WHERE coalesce(a.amount, 0) <> coalesce(s.moved, 0)`,
    'the total of a bank file is the sum of its payouts': `
      SELECT b.id FROM payout_batches b
      LEFT JOIN (SELECT batch_id, testmode, currency, count(*) AS count, sum(amount) AS total FROM payouts
        WHERE batch_id IS NOT NULL GROUP BY 1, 2, 3) p ON p.batch_id = b.id
      WHERE (b.count, b.total, b.currency, b.testmode) IS DISTINCT FROM (p.count, p.total, p.currency, p.testmode)`,
    'an exported payout is in a bank file and has a bank account': `
      SELECT id FROM payouts WHERE (batch_id IS NOT NULL) <> (NOT by_hand AND status IN ('exported', 'paid', 'returned'))
        OR (account_id IS NULL) <> (batch_id IS NULL)`,
  },
} as const satisfies Queries
