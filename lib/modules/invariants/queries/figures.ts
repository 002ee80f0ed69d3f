import { eventsKeptSince, type Queries } from './query.ts'

/**
 * The queries in this file derive the figures from the ledger and the subscriptions. They do not use the code that
 * computes the stored figures.
 */

const owner = 'storefront_id, testmode, currency'
const named = (more: string) =>
  `concat_ws(' ', storefront_id, CASE WHEN testmode THEN 'test' ELSE 'live' END, currency, ${more})`
const monthOf = (day: string) => `to_char(${day}, 'YYYY-MM')`
const utcDay = (moment: string) => `(${moment} AT TIME ZONE 'UTC')::date`
const sumOf = (json: string) => `coalesce((SELECT sum(value::bigint) FROM jsonb_each_text(${json})), 0)`

const ofStatement = `
  SELECT ${owner}, ${monthOf(utcDay('e.created_at'))} AS month, -sum(amount) AS net
  FROM ledger_entries e JOIN closed_figures c USING (storefront_id, testmode)
  WHERE ${utcDay('e.created_at')} <= c.day AND cause NOT LIKE 'payout.%'
    AND account IN ('merchant_balance', 'platform_fee', 'provider_fees') GROUP BY 1, 2, 3, 4`
const ofFigures = `
  SELECT ${owner}, ${monthOf('day')} AS month, sum(sales + refunds + disputes) AS net FROM daily_figures GROUP BY 1, 2, 3, 4`

const following = `
  SELECT *, lag(closing_mrr) OVER days AS mrr_before, lag(closing_subscribers) OVER days AS subscribers_before
  FROM daily_figures WINDOW days AS (PARTITION BY ${owner} ORDER BY day)`

const newestAmounts = `
  SELECT DISTINCT ON (subscription_id) * FROM recurring_amounts ORDER BY subscription_id, day DESC`
const newestFigures = `SELECT DISTINCT ON (${owner}) * FROM daily_figures ORDER BY ${owner}, day DESC`

const includedTax = `(SELECT coalesce(sum((tax->>'percentage')::numeric), 0) FROM jsonb_array_elements((
  SELECT l.taxes FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN checkout_lines c ON c.id = s.checkout_line_id
  WHERE (o.subscription_id = s.id OR o.checkout_id = c.checkout_id) AND l.product_id = s.id AND o.credited_order_id IS NULL
    AND o.created_at <= coalesce((SELECT max(e.created_at) FROM events e WHERE e.entity_id = s.id AND e.entity_type = 'subscription'), 'infinity')
  ORDER BY o.id DESC, l.position LIMIT 1)) tax)`
const isPaidFor = `(s.status = 'active' OR (s.status = 'on_grace_period' AND s.resumes_to = 'active'))`
const inYear = `CASE s.interval WHEN 'day' THEN 365 * 7 WHEN 'week' THEN 365 WHEN 'month' THEN 12 * 7 ELSE 7 END`
const perMonth = `round(s.price::numeric * s.quantity * ${inYear} * 100
  / (12 * 7 * s.interval_count * (100 + CASE WHEN s.tax_behavior = 'inclusive' THEN ${includedTax} ELSE 0 END)))`

export const figures = {
  I20: {
    'the monthly net revenue in the figures equals the statement': `
      SELECT ${named('month')} AS id FROM (${ofStatement}) s FULL JOIN (${ofFigures}) f USING (${owner}, month)
      WHERE coalesce(s.net, 0) <> coalesce(f.net, 0)`,
    'the opening figures of a day plus its movements equal the closing figures': `
      SELECT ${named('day')} AS id FROM (${following}) f
      WHERE opening_mrr <> coalesce(mrr_before, 0) OR opening_subscribers <> coalesce(subscribers_before, 0)
        OR opening_mrr + new_mrr + expansion_mrr - contraction_mrr - churn_mrr + reactivation_mrr <> closing_mrr
        OR opening_subscribers + new_subscribers - churned_subscribers + reactivated_subscribers <> closing_subscribers`,
    'the MRR of all plans is the closing MRR, and the revenue from all countries is the net revenue': `
      SELECT ${named('day')} AS id FROM daily_figures
      WHERE ${sumOf('plans')} <> closing_mrr OR ${sumOf('countries')} <> sales + refunds + disputes`,
    'the closing MRR and subscribers equal the sums of the subscription amounts': `
      SELECT ${named("'now'")} AS id FROM (${newestFigures}) f FULL JOIN (
        SELECT a.storefront_id, a.testmode, a.currency, sum(a.amount) AS mrr, count(DISTINCT s.customer_id) AS subscribers
        FROM (${newestAmounts}) a JOIN subscriptions s ON s.id = a.subscription_id WHERE a.amount > 0 GROUP BY 1, 2, 3) a USING (${owner})
      WHERE coalesce(f.closing_mrr, 0) <> coalesce(a.mrr, 0) OR coalesce(f.closing_subscribers, 0) <> coalesce(a.subscribers, 0)`,
    'the amount of a subscription without a later event agrees with its terms': `
      SELECT s.id FROM subscriptions s JOIN closed_figures closed USING (storefront_id, testmode)
      LEFT JOIN (${newestAmounts}) a ON a.subscription_id = s.id
      WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = s.id AND ${utcDay('e.created_at')} > closed.day) AND closed.day >= ${utcDay(eventsKeptSince)}
        AND (coalesce(a.amount, 0) <> CASE WHEN ${isPaidFor} THEN ${perMonth} ELSE 0 END
          OR (a.amount > 0 AND (a.currency, a.plan_id) IS DISTINCT FROM (s.currency, s.subscription_plan_id)))`,
  },
} as const satisfies Queries
