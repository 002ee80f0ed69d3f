import { first, foreign, set, setAtProvider, type ViolationFixtures } from './statements.ts'

export const scopes: ViolationFixtures = {
  'a sale refers only to its own storefront and mode': [
    `UPDATE checkout_lines SET product_id = (SELECT min(p.id) FROM products p JOIN checkouts c ON c.id = checkout_id WHERE p.storefront_id <> c.storefront_id)
      WHERE id = ${first('checkout_lines')} RETURNING id`,
    `UPDATE payment_link_items SET product_id = 'another' WHERE position = 0 AND payment_link_id = ${first('payment_links')} RETURNING payment_link_id || ' 0' AS id`,
    set('order_lines', `product_id = 'another'`, `product_type = 'one_off_product'`),
    set('order_lines', `product_id = 'another'`, `product_type = 'subscription'`),
    set('subscriptions', `subscription_plan_id = ${foreign('subscriptions', 'products')}`),
    set('subscriptions', `checkout_line_id = 'another'`),
    set(
      'subscriptions',
      `mandate_id = ${first('mandates', `customer_id <> subscriptions.customer_id`)}`,
      `status = 'active'`,
    ),
    set('payments', 'checkout_id = NULL', 'checkout_id IS NOT NULL'),
    set(
      'payments',
      `billing_update_link_id = (SELECT min(l.id) FROM billing_update_links l JOIN orders o ON o.id = order_id WHERE o.subscription_id <> l.subscription_id)`,
      'billing_update_link_id IS NOT NULL',
    ),
    set('fast_forwards', `order_id = ${foreign('fast_forwards', 'orders')}`, 'order_id IS NOT NULL'),
    set('recoveries', `subscription_id = ${first('subscriptions', 'id <> recoveries.subscription_id')}`),
  ],
  'a refund or chargeback refers only to its own order, storefront and mode': [
    set('refunds', `customer_id = ${foreign('refunds', 'customers')}`),
    set('chargebacks', `customer_id = ${foreign('chargebacks', 'customers')}`),
    set('reversal_lines', `order_line_id = ${first('order_lines', 'order_id <> reversal_lines.order_id')}`),
    set('reversal_lines', `refund_id = NULL`, 'refund_id IS NOT NULL'),
    set('reversal_lines', `order_id = ${foreign('reversal_lines', 'orders')}`),
  ],
  'an event and its deliveries belong to one storefront and mode': [
    ...['order', 'subscription', 'checkout', 'refund'].map((type) =>
      set(
        'events',
        `entity_id = ${foreign('events', type === 'refund' ? 'orders' : `${type}s`)}`,
        `entity_type = '${type}'`,
      ),
    ),
    set('events', `entity_id = 'another'`, `entity_type = 'one_off_product'`),
    set('events', `causation_id = ${foreign('events', 'events')}`),
    set('deliveries', `event_id = ${foreign('deliveries', 'events')}`),
  ],
  'a ledger entry refers only to its own storefront and mode': [
    set('ledger_entries', `order_id = ${foreign('ledger_entries', 'orders')}`, 'order_id IS NOT NULL'),
    ...['order', 'refund', 'chargeback'].map((type) =>
      set('ledger_entries', `subject_id = 'another'`, `cause LIKE '${type}.%'`),
    ),
    set('ledger_entries', `storefront_id = 'another'`, 'order_id IS NULL'),
  ],
  'a provider account has only live payments of its storefront, and charges only its own mandates': [
    set('payments', `provider = 'mollie-provider_account_another'`),
    set('mandates', `provider = 'stripe-' || (SELECT min(id) FROM provider_accounts)`),
    set('payments', `provider = 'mollie'`, `mandate_id IS NOT NULL AND provider <> 'simulated'`),
  ],
  'a record of the test provider refers only to its own storefront': [
    setAtProvider(
      'sandbox_payments',
      `storefront_id = 'another'`,
      `mandate_ref IS NULL AND ref NOT IN (SELECT payment_ref FROM sandbox_refunds UNION SELECT payment_ref FROM sandbox_chargebacks)`,
    ),
    setAtProvider('sandbox_payments', `mandate_ref = 'another'`, 'mandate_ref IS NOT NULL'),
    setAtProvider('sandbox_refunds', `storefront_id = 'another'`),
    setAtProvider('sandbox_refunds', `payment_ref = 'another'`),
    setAtProvider('sandbox_chargebacks', `payment_ref = 'another'`),
    `UPDATE sandbox_refusals SET idempotency_key = 'another' RETURNING idempotency_key AS id`,
    `UPDATE sandbox_returns SET storefront_id = 'another' RETURNING mandate_ref AS id`,
    `UPDATE sandbox_declines SET storefront_id = 'another' WHERE mandate_ref = ${first('sandbox_declines', 'true', 'mandate_ref')} RETURNING mandate_ref AS id`,
    set('chargebacks', `provider_ref = 'another'`),
  ],
}
