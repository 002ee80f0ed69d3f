import type { Prisma } from '../../prisma/client/client.ts'
import type { BillingDetails } from '../customers/rules/billing-details.ts'
import type { Interval } from '../kernel/calendar.ts'
import type { Locale } from '../kernel/locale.ts'
import type { Currency } from '../kernel/money.ts'
import { type Scope, whose } from '../platform/clock.ts'
import type { Sql } from '../platform/db.ts'
import { type Page, type PageQuery, page } from '../platform/paging.ts'
import type { Mandate, Subscription, SubscriptionStatus } from './rules/index.ts'

const withMandate = { mandate: true } as const

export async function findSubscription(
  sql: Sql,
  scope: Scope,
  id: string,
  customerId?: string,
): Promise<Subscription | null> {
  const where = { id, ...whose(scope), ...(customerId !== undefined && { customer_id: customerId }) }
  const row = await sql.subscriptions.findFirst({ where, include: withMandate })
  return row && toSubscription(row)
}

/** The subscriptions of a checkout, by the line that sold them. Call it with the checkout locked. */
export async function subscriptionsOfLines(sql: Sql, lineIds: string[]): Promise<Map<string, Subscription>> {
  const rows = await sql.subscriptions.findMany({ where: { checkout_line_id: { in: lineIds } }, include: withMandate })
  return new Map(rows.map((row) => [row.checkout_line_id, toSubscription(row)]))
}

export async function insertSubscription(sql: Sql, scope: Scope, subscription: Subscription): Promise<void> {
  const { id, customerId, planId, checkoutLineId, locale, createdAt } = subscription
  const fixed = {
    id,
    ...whose(scope),
    customer_id: customerId,
    subscription_plan_id: planId,
    checkout_line_id: checkoutLineId,
    locale,
    created_at: createdAt,
  }
  await sql.subscriptions.create({ data: { ...fixed, ...toColumns(subscription) }, select: { id: true } })
}

export async function saveSubscription(sql: Sql, subscription: Subscription): Promise<void> {
  await sql.subscriptions.update({
    where: { id: subscription.id },
    data: toColumns(subscription),
    select: { id: true },
  })
}

export function pageOfSubscriptions(
  sql: Sql,
  scope: Scope,
  query: PageQuery,
  customerId?: string,
): Promise<Page<Subscription>> {
  return page(query, {
    owns: async (id) => (await sql.subscriptions.count({ where: { id, ...whose(scope) } })) === 1,
    find: async ({ beyond, order, take }) => {
      const where = {
        ...whose(scope),
        ...(customerId !== undefined && { customer_id: customerId }),
        ...(beyond && { id: beyond }),
      }
      const rows = await sql.subscriptions.findMany({ where, orderBy: { id: order }, take, include: withMandate })
      return rows.map(toSubscription)
    },
  })
}

const toColumns = (subscription: Subscription) => ({
  name: subscription.name,
  description: subscription.description,
  billing_address: { ...subscription.billingAddress },
  currency: subscription.price.currency,
  price: subscription.price.minor,
  tax_behavior: subscription.taxBehavior,
  quantity: subscription.quantity,
  interval: subscription.cycle.interval,
  interval_count: subscription.cycle.intervalCount,
  status: subscription.status,
  cancellation_reason: subscription.cancellationReason,
  mandate_id: subscription.mandate?.id ?? null,
  anchor_at: subscription.anchorAt,
  started_at: subscription.startedAt,
  ended_at: subscription.endedAt,
  canceled_at: subscription.canceledAt,
  renewed_at: subscription.renewedAt,
  renewed_until: subscription.renewedUntil,
  trial_until: subscription.trialUntil,
})

type Row = Prisma.subscriptionsGetPayload<{ include: { mandate: true } }>

const toSubscription = (row: Row): Subscription => ({
  id: row.id,
  testmode: row.testmode,
  customerId: row.customer_id,
  planId: row.subscription_plan_id,
  checkoutLineId: row.checkout_line_id,
  name: row.name,
  description: row.description,
  billingAddress: row.billing_address as BillingDetails,
  price: { minor: row.price, currency: row.currency as Currency },
  taxBehavior: row.tax_behavior as Subscription['taxBehavior'],
  quantity: row.quantity,
  cycle: { interval: row.interval as Interval, intervalCount: row.interval_count },
  status: row.status as SubscriptionStatus,
  mandate: row.mandate && {
    id: row.mandate.id,
    method: row.mandate.method as Mandate['method'],
    maskedIdentifier: row.mandate.masked_identifier,
    status: row.mandate.status as Mandate['status'],
  },
  anchorAt: row.anchor_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  canceledAt: row.canceled_at,
  cancellationReason: row.cancellation_reason as Subscription['cancellationReason'],
  renewedAt: row.renewed_at,
  renewedUntil: row.renewed_until,
  trialUntil: row.trial_until,
  locale: row.locale as Locale,
  createdAt: row.created_at,
})
