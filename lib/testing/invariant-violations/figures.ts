import type { ViolationFixtures } from './statements.ts'

const named = (more: string) =>
  `concat_ws(' ', storefront_id, CASE WHEN testmode THEN 'test' ELSE 'live' END, currency, ${more})`
const changed = (change: string, where: string, id: string) => `
  UPDATE daily_figures SET ${change} WHERE ctid = (SELECT ctid FROM daily_figures f WHERE ${where}
    ORDER BY storefront_id, testmode, currency, day LIMIT 1) RETURNING ${id}`
const isLast = `NOT EXISTS (SELECT 1 FROM daily_figures later WHERE (later.storefront_id, later.testmode, later.currency)
  = (f.storefront_id, f.testmode, f.currency) AND later.day > f.day)`

export const figures: ViolationFixtures = {
  // Invariant I20 of lib/modules/invariants/README.md.
  'the monthly net revenue in the figures equals the statement': [
    changed('sales = sales + 1', 'sales > 0', named(`to_char(day, 'YYYY-MM')`)),
    changed('refunds = 0', 'refunds < 0', named(`to_char(day, 'YYYY-MM')`)),
    `DELETE FROM daily_figures WHERE ctid = (SELECT ctid FROM daily_figures WHERE sales > 0 ORDER BY storefront_id, testmode, currency, day LIMIT 1)
      RETURNING ${named(`to_char(day, 'YYYY-MM')`)}`,
  ],
  'the opening figures of a day plus its movements equal the closing figures': [
    changed('new_mrr = new_mrr + 1', 'new_mrr > 0', named('day')),
    changed('churned_subscribers = churned_subscribers + 1', 'churned_subscribers > 0', named('day')),
    changed(
      'opening_mrr = opening_mrr + 1, closing_mrr = closing_mrr + 1',
      `opening_mrr > 0 AND ${isLast}`,
      named('day'),
    ),
  ],
  'the MRR of all plans is the closing MRR, and the revenue from all countries is the net revenue': [
    changed(`plans = '{}'`, 'closing_mrr > 0', named('day')),
    changed(`countries = '{}'`, 'sales + refunds + disputes <> 0', named('day')),
  ],
  'the closing MRR and subscribers equal the sums of the subscription amounts': [
    changed('closing_mrr = closing_mrr + 1', `closing_mrr > 0 AND ${isLast}`, named(`'now'`)),
    changed('closing_subscribers = closing_subscribers + 1', `closing_mrr > 0 AND ${isLast}`, named(`'now'`)),
  ],
  'the amount of a subscription without a later event agrees with its terms': [
    `UPDATE subscriptions SET quantity = quantity + 1 WHERE id = (SELECT min(subscription_id) FROM recurring_amounts r WHERE amount > 0
      AND NOT EXISTS (SELECT 1 FROM recurring_amounts later WHERE later.subscription_id = r.subscription_id AND later.day > r.day)) RETURNING id`,
    `UPDATE recurring_amounts SET plan_id = 'plan_none' WHERE ctid = (SELECT ctid FROM recurring_amounts r WHERE amount > 0
      AND NOT EXISTS (SELECT 1 FROM recurring_amounts later WHERE later.subscription_id = r.subscription_id AND later.day > r.day)
      ORDER BY subscription_id LIMIT 1) RETURNING subscription_id`,
  ],
}
