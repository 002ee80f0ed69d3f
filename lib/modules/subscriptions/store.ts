import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { allColumns } from '../../platform/db/columns.ts'
import { insertRows, type Sql, updateRows } from '../../platform/db/db.ts'
import { emptyFragment, fragment } from '../../platform/db/fragment.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { withTaxFacts } from '../tax/rows.ts'
import { type OwedRow, owedColumns, type ShownSubscription, toOwed, withOwed } from './owed.ts'
import { toColumns, toSubscription } from './rows.ts'
import { ongoingStatuses, type Subscription, type SubscriptionStatus } from './rules/index.ts'
import type { Period } from './rules/subscription.ts'

const withMandate = { mandate: true, cancellation_feedback: { select: { reason: true, comment: true } } } as const

export async function findSubscription(
  sql: Sql,
  tenant: Tenant,
  id: string,
  customerId?: string,
): Promise<Subscription | null> {
  const where = { id, ...ownedBy(tenant), ...(customerId !== undefined && { customer_id: customerId }) }
  const row = await sql.subscriptions.findFirst({ where, include: withMandate })
  return row && ((await withTaxFacts(sql, [row], toSubscription))[0] ?? null)
}

/** The returned subscription has no `taxFacts`. */
export async function findShownSubscription(
  sql: Sql,
  tenant: Tenant,
  id: string,
  customerId?: string,
): Promise<ShownSubscription | null> {
  const [row] = await sql.$queryRaw<(Parameters<typeof toSubscription>[0] & OwedRow)[]>`
    SELECT ${allColumns('subscriptions', 's')}, ${owedColumns}, (
      SELECT json_build_object('id', m.id, 'provider', m.provider, 'method', m.method, 'reference', m.reference,
        'masked_identifier', m.masked_identifier, 'status', m.status)
      FROM mandates m WHERE m.id = s.mandate_id) AS mandate,
      (SELECT coalesce(json_agg(json_build_object('reason', f.reason, 'comment', f.comment)), '[]')
      FROM cancellation_feedback f WHERE f.subscription_id = s.id) AS cancellation_feedback
    FROM subscriptions s
    WHERE s.id = ${id} AND ${ownedRows(tenant, 's')}
      ${customerId === undefined ? emptyFragment : fragment`AND s.customer_id = ${customerId}`}`
  return row ? { ...toSubscription(row), owed: toOwed(row) } : null
}

/**
 * Locks the subscription until the transaction ends, so that its other renewals, changes, cancellations, and charges
 * wait.
 */
export async function lockSubscription(sql: Sql, tenant: Tenant, id: string): Promise<Subscription | null> {
  await sql.$queryRaw`SELECT 1 FROM subscriptions WHERE id = ${id} FOR NO KEY UPDATE`
  return findSubscription(sql, tenant, id)
}

export async function findSubscriptions(sql: Sql, tenant: Tenant, ids: string[]): Promise<Subscription[]> {
  const where = { id: { in: ids }, ...ownedBy(tenant) }
  const rows = await sql.subscriptions.findMany({ where, orderBy: { id: 'asc' }, include: withMandate })
  return withTaxFacts(sql, rows, toSubscription)
}

const mostCounted = 100

/**
 * `ongoing` counts only the `mostCounted` newest subscriptions of a customer. `isMore` is true if the customer has
 * older subscriptions that were not counted.
 */
export async function ongoingOf(
  sql: Sql,
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<Map<string, { readonly ongoing: number; readonly isMore: boolean }>> {
  if (customerIds.length === 0) return new Map()
  const rows = await sql.$queryRaw<{ customer_id: string; ongoing: number; is_more: boolean }[]>`
    SELECT customer.id AS customer_id, count(*) > ${mostCounted}::int AS is_more,
      count(*) FILTER (WHERE newest.place <= ${mostCounted}::int AND newest.status = ANY(${[...ongoingStatuses]}))::int AS ongoing
    FROM unnest(${[...customerIds]}::text[]) AS customer (id), LATERAL (
      SELECT status, row_number() OVER (ORDER BY id DESC) AS place FROM subscriptions
      WHERE customer_id = customer.id AND (${ownedRows(tenant)}) IS TRUE
      ORDER BY id DESC LIMIT ${mostCounted + 1}::int
    ) newest GROUP BY customer.id`
  return new Map(rows.map(({ customer_id, ongoing, is_more }) => [customer_id, { ongoing, isMore: is_more }]))
}

export async function newestSubscriptionsOf(
  sql: Sql,
  tenant: Tenant,
  customerId: string,
  take: number,
): Promise<Subscription[]> {
  const where = { customer_id: customerId, ...ownedBy(tenant) }
  const rows = await sql.subscriptions.findMany({ where, orderBy: { id: 'desc' }, take, include: withMandate })
  return withTaxFacts(sql, rows, toSubscription)
}

/** Locks subscriptions in the order of their ids, so that two transactions that each lock several subscriptions cannot deadlock. */
export async function lockSubscriptions(sql: Sql, tenant: Tenant, ids: string[]): Promise<Subscription[]> {
  await sql.$queryRaw`SELECT 1 FROM subscriptions WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`
  return findSubscriptions(sql, tenant, ids)
}

export const lockSubscriptionsOf = (sql: Sql, tenant: Tenant, mandateId: string): Promise<Subscription[]> =>
  lockSubscriptionsWhere(sql, tenant, { mandate_id: mandateId })

export const lockSubscriptionsOfCustomer = (sql: Sql, tenant: Tenant, customerId: string): Promise<Subscription[]> =>
  lockSubscriptionsWhere(sql, tenant, { customer_id: customerId })

export const lockSubscriptionsOfLines = async (sql: Sql, tenant: Tenant, lineIds: string[]) =>
  byLine(await lockSubscriptionsWhere(sql, tenant, { checkout_line_id: { in: lineIds } }))

/** A sale is over if it included no one-off product and all its subscriptions have ended. The subscription `exceptId` counts as ended. */
export async function isSaleOver(sql: Sql, checkoutId: string, exceptId: string | null = null): Promise<boolean> {
  const [left] = await sql.$queryRaw<{ id: string }[]>`
    SELECT l.id FROM checkout_lines l LEFT JOIN subscriptions s ON s.checkout_line_id = l.id
    WHERE l.checkout_id = ${checkoutId} AND (s.id IS NULL OR (s.status <> 'canceled' AND s.id IS DISTINCT FROM ${exceptId}))
    LIMIT 1`
  return left === undefined
}

async function lockSubscriptionsWhere(
  sql: Sql,
  tenant: Tenant,
  where: { mandate_id: string } | { customer_id: string } | { checkout_line_id: { in: string[] } },
): Promise<Subscription[]> {
  const rows = await sql.subscriptions.findMany({ where: { ...where, ...ownedBy(tenant) }, select: { id: true } })
  const ids = rows.map(({ id }) => id)
  return ids.length === 0 ? [] : lockSubscriptions(sql, tenant, ids)
}

/**
 * Returns the subscriptions of an order (`isOwn` is true). Also returns all other subscriptions that use the mandate
 * `mandateId` or a mandate of the order's subscriptions.
 */
export const disputedSubscriptions = (
  sql: Sql,
  tenant: Tenant,
  { subscriptionId, checkoutId }: { readonly subscriptionId: string | null; readonly checkoutId: string | null },
  mandateId: string | null,
): Promise<{ id: string; isOwn: boolean }[]> => sql.$queryRaw`
  WITH own AS (
    SELECT id, mandate_id FROM subscriptions WHERE id = ${subscriptionId}
    UNION SELECT s.id, s.mandate_id FROM checkout_lines l JOIN subscriptions s ON s.checkout_line_id = l.id
      WHERE l.checkout_id = ${checkoutId}),
  mandates_of AS (SELECT mandate_id AS id FROM own WHERE mandate_id IS NOT NULL UNION SELECT ${mandateId}::text)
  SELECT s.id, EXISTS (SELECT 1 FROM own WHERE own.id = s.id) AS "isOwn" FROM subscriptions s
  WHERE ${ownedRows(tenant, 's')}
    AND (s.id IN (SELECT id FROM own) OR s.mandate_id IN (SELECT id FROM mandates_of WHERE id IS NOT NULL))`

export async function tenantOfSubscription(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.subscriptions.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

/**
 * Inserts billed periods. The database refuses overlapping periods, so a period is billed once, even if a renewal runs
 * twice.
 */
export async function insertPeriods(sql: Sql, tenant: Tenant, periods: readonly BilledPeriod[]): Promise<void> {
  await insertRows(
    sql,
    'subscription_periods',
    periods.map(({ id, subscriptionId, orderId, startAt, endAt, createdAt }) => ({
      id,
      ...ownedBy(tenant),
      subscription_id: subscriptionId,
      start_at: startAt,
      end_at: endAt,
      order_id: orderId,
      created_at: createdAt,
    })),
  )
}

interface BilledPeriod extends Pick<Period, 'startAt' | 'endAt'> {
  readonly id: string
  readonly subscriptionId: string
  readonly orderId: string | null
  readonly createdAt: Date
}

export const isPeriodBilled = async (sql: Sql, subscriptionId: string, startAt: Date): Promise<boolean> =>
  (await sql.subscription_periods.count({
    where: { subscription_id: subscriptionId, start_at: startAt, end_at: { gt: startAt } },
  })) > 0

/** Ends a period that is in progress at the time `now`. Later periods become empty. */
export async function endPeriods(sql: Sql, subscriptionId: string, now: Date): Promise<void> {
  await sql.$executeRaw`
    UPDATE subscription_periods SET end_at = greatest(start_at, ${now}::timestamptz)
    WHERE subscription_id = ${subscriptionId} AND end_at > ${now}::timestamptz`
}

export async function moveEnd(sql: Sql, subscriptionId: string, { startAt, endAt }: Period): Promise<void> {
  await sql.subscription_periods.updateMany({
    // Does not move the end of an empty period, because a period that was restarted in its first second must stay
    // empty.
    where: { subscription_id: subscriptionId, start_at: startAt, end_at: { gt: startAt } },
    data: { end_at: endAt },
  })
}

export async function subscriptionsOfLines(sql: Sql, lineIds: string[]): Promise<Map<string, Subscription>> {
  const rows = await sql.subscriptions.findMany({ where: { checkout_line_id: { in: lineIds } }, include: withMandate })
  return byLine(await withTaxFacts(sql, rows, toSubscription))
}

const byLine = (found: readonly Subscription[]): Map<string, Subscription> =>
  new Map(found.map((each) => [each.checkoutLineId, each]))

export async function insertSubscription(sql: Sql, tenant: Tenant, subscription: Subscription): Promise<void> {
  const { id, customerId, checkoutLineId, locale, createdAt } = subscription
  const fixed = {
    id,
    ...ownedBy(tenant),
    customer_id: customerId,
    checkout_line_id: checkoutLineId,
    locale,
    created_at: createdAt,
  }
  await sql.subscriptions.create({ data: { ...fixed, ...toColumns(subscription) }, select: { id: true } })
}

export async function saveSubscription(sql: Sql, subscription: Subscription): Promise<void> {
  await saveSubscriptions(sql, [subscription])
}

export async function saveSubscriptions(sql: Sql, subscriptions: readonly Subscription[]): Promise<void> {
  const rows = subscriptions.map((subscription) => ({ id: subscription.id, ...toColumns(subscription) }))
  await updateRows(sql, 'subscriptions', rows)
}

export interface SubscriptionFilters {
  readonly customerId?: string | undefined
  readonly subscriptionPlanId?: string | undefined
  readonly status?: SubscriptionStatus | undefined
}

export function pageOfSubscriptions(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { customerId, subscriptionPlanId, status }: SubscriptionFilters = {},
): Promise<Page<ShownSubscription>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.subscriptions.findFirst({ ...asked, select: { id: true } }),
    prefix: 'subscription_',
    filter: {
      ...(customerId !== undefined && { customer_id: customerId }),
      ...(subscriptionPlanId !== undefined && { subscription_plan_id: subscriptionPlanId }),
      ...(status && { status }),
    },
    find: async (asked) => {
      const rows = await sql.subscriptions.findMany({ ...asked, include: withMandate })
      return withOwed(sql, rows.map(toSubscription))
    },
  })
}
