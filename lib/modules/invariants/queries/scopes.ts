import { isSince, type Queries } from './query.ts'

interface Naming {
  readonly in?: string
  readonly by?: string
}

const strangers = (
  rows: string,
  column: string,
  others: string,
  { in: where = 'true', by = 'id' }: Naming = {},
): string => `
  SELECT a.id FROM ${rows} a LEFT JOIN ${others} b ON b.${by} = a.${column}
  WHERE a.${column} IS NOT NULL AND ${where} AND (b.storefront_id IS DISTINCT FROM a.storefront_id OR b.testmode IS DISTINCT FROM a.testmode)`

const all = (...queries: readonly string[]): string => queries.join('\n UNION ALL ')

const orderLines = `(SELECT l.*, o.storefront_id, o.testmode FROM order_lines l JOIN orders o ON o.id = l.order_id)`
const checkoutLines = `(SELECT l.*, c.storefront_id, c.testmode FROM checkout_lines l JOIN checkouts c ON c.id = l.checkout_id)`
const linkItems = `(SELECT i.payment_link_id || ' ' || i.position AS id, i.product_id, l.storefront_id, l.testmode FROM payment_link_items i JOIN payment_links l ON l.id = i.payment_link_id)`
/** Finds rows that name the provider account (`mollie-provider_account_…`) of another storefront. */
const notOfItsAccount = (rows: string): string => `
  SELECT a.id FROM ${rows} a WHERE a.provider LIKE '%-%' AND (a.testmode OR NOT EXISTS (SELECT 1 FROM provider_accounts b
    WHERE b.storefront_id = a.storefront_id AND a.provider = b.provider || '-' || b.id))`
const atProvider = (table: string, name: string): string =>
  `(SELECT ${name} AS id, true AS testmode, s.* FROM ${table} s)`
const sandboxPayments = atProvider('sandbox_payments', 'ref')

export const scopes = {
  I10: {
    'a sale refers only to its own storefront and mode': all(
      strangers(checkoutLines, 'product_id', 'products'),
      strangers(linkItems, 'product_id', 'products'),
      strangers(orderLines, 'product_id', 'products', {
        in: `a.product_type IN ('one_off_product', 'subscription_plan')`,
      }),
      strangers(orderLines, 'product_id', 'subscriptions', { in: `a.product_type = 'subscription'` }),
      strangers('subscriptions', 'subscription_plan_id', 'products'),
      strangers('subscriptions', 'checkout_line_id', checkoutLines),
      strangers('payments', 'checkout_id', 'checkouts'),
      strangers('fast_forwards', 'order_id', 'orders'),
      'SELECT p.id FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.mandate_id IS NULL AND p.checkout_id IS DISTINCT FROM o.checkout_id',
      'SELECT p.id FROM payments p JOIN billing_update_links l ON l.id = p.billing_update_link_id JOIN orders o ON o.id = p.order_id WHERE o.subscription_id IS DISTINCT FROM l.subscription_id',
      'SELECT f.id FROM fast_forwards f JOIN orders o ON o.id = f.order_id WHERE o.subscription_id IS DISTINCT FROM f.subscription_id',
      'SELECT r.id FROM recoveries r JOIN orders o ON o.id = r.order_id WHERE o.subscription_id IS DISTINCT FROM r.subscription_id',
      'SELECT s.id FROM subscriptions s JOIN mandates m ON m.id = s.mandate_id WHERE m.customer_id <> s.customer_id',
    ),
    'a refund or chargeback refers only to its own order, storefront and mode': all(
      strangers('refunds', 'customer_id', 'customers'),
      strangers('chargebacks', 'customer_id', 'customers'),
      strangers('emails', 'customer_id', 'customers'),
      strangers('tax_id_checks', 'customer_id', 'customers'),
      'SELECT l.id FROM reversal_lines l LEFT JOIN order_lines sold ON sold.id = l.order_line_id WHERE sold.order_id IS DISTINCT FROM l.order_id',
      `SELECT l.id FROM reversal_lines l LEFT JOIN refunds r ON r.id = l.refund_id LEFT JOIN chargebacks c ON c.id = l.chargeback_id
        WHERE coalesce(r.order_id, c.order_id) IS DISTINCT FROM l.order_id OR (l.refund_id IS NULL) = (l.chargeback_id IS NULL)`,
    ),
    'an event and its deliveries belong to one storefront and mode': all(
      ...['order', 'subscription', 'checkout', 'refund'].map((type) =>
        strangers('events', 'entity_id', `${type}s`, { in: `a.entity_type = '${type}'` }),
      ),
      strangers('events', 'entity_id', 'products', { in: `a.entity_type IN ('subscription_plan', 'one_off_product')` }),
      strangers('events', 'causation_id', 'events', { in: isSince('events', 'a.causation_id') }),
      strangers('deliveries', 'event_id', 'events'),
    ),
    'a ledger entry refers only to its own storefront and mode': all(
      strangers('ledger_entries', 'order_id', 'orders'),
      ...['order', 'refund', 'chargeback'].map((type) =>
        strangers('ledger_entries', 'subject_id', `${type}s`, { in: `a.cause LIKE '${type}.%'` }),
      ),
      strangers('ledger_entries', 'subject_id', 'payments', { in: `a.cause LIKE 'return.%'` }),
      'SELECT a.id FROM ledger_entries a LEFT JOIN storefronts b ON b.id = a.storefront_id WHERE b.id IS NULL',
    ),
    'a provider account has only live payments of its storefront, and charges only its own mandates': all(
      notOfItsAccount('payments'),
      notOfItsAccount('mandates'),
      `SELECT p.id FROM payments p JOIN mandates m ON m.id = p.mandate_id WHERE p.provider NOT IN (m.provider, 'simulated')`,
    ),
    'a record of the test provider refers only to its own storefront': all(
      strangers(sandboxPayments, 'idempotency_key', 'payments'),
      strangers(sandboxPayments, 'mandate_ref', 'mandates', { by: 'provider_ref' }),
      strangers(atProvider('sandbox_refunds', 'ref'), 'payment_ref', sandboxPayments),
      strangers(atProvider('sandbox_refunds', 'ref'), 'idempotency_key', 'refunds'),
      strangers(atProvider('sandbox_refusals', 'idempotency_key'), 'idempotency_key', 'refunds'),
      strangers(atProvider('sandbox_chargebacks', 'ref'), 'payment_ref', sandboxPayments),
      strangers(atProvider('sandbox_declines', 'mandate_ref'), 'mandate_ref', 'mandates', { by: 'provider_ref' }),
      strangers(atProvider('sandbox_returns', 'mandate_ref'), 'mandate_ref', 'mandates', { by: 'provider_ref' }),
      strangers('chargebacks', 'provider_ref', atProvider('sandbox_chargebacks', 'ref'), {
        in: `a.order_id IN (SELECT paid_order_id FROM payments WHERE provider = 'sandbox')`,
      }),
    ),
  },
} as const satisfies Queries
