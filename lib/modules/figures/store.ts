import { type Currency, currencies } from '../../kernel/currencies.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { allColumns } from '../../platform/db/columns.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'
import { fragment } from '../../platform/db/fragment.ts'
import { dayOf, startOf } from './rules/days.ts'
import type { FigureDay } from './rules/figure-day.ts'
import type { AmountChange } from './rules/movements.ts'
import type { Days } from './sources.ts'

/** Returns the last closed day, or null. The row lock allows one transaction at a time per storefront and mode. */
export async function lockClosed(sql: Sql, tenant: Tenant): Promise<string | null> {
  await sql.$executeRaw`
    INSERT INTO closed_figures (storefront_id, testmode, day, closed_at)
    VALUES (${tenant.storefrontId}, ${tenant.testmode}, NULL, clock_timestamp()) ON CONFLICT DO NOTHING`
  const [row] = await sql.$queryRaw<{ day: string | null }[]>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day FROM closed_figures
    WHERE ${ownedRows(tenant)} FOR UPDATE`
  return row?.day ?? null
}

export const saveClosedDay = (sql: Sql, tenant: Tenant, day: string): Promise<number> =>
  sql.$executeRaw`
    UPDATE closed_figures SET day = ${day}::date, closed_at = clock_timestamp()
    WHERE ${ownedRows(tenant)}`

/**
 * Returns at most `most` storefronts and modes with days to close. Excludes storefronts on hold. Excludes test mode
 * while the test clock of the storefront advances.
 */
export async function dueTenants(sql: Sql, most: number): Promise<Tenant[]> {
  return sql.$queryRaw`
    SELECT s.id AS "storefrontId", mode.testmode FROM storefronts s JOIN clocks k ON k.storefront_id = s.id
      CROSS JOIN (VALUES (true), (false)) mode (testmode)
      LEFT JOIN closed_figures c ON c.storefront_id = s.id AND c.testmode = mode.testmode
    WHERE s.held_at IS NULL AND (NOT mode.testmode OR k.advancing_to IS NULL)
      AND coalesce(c.day, '-infinity'::date) < ((clock_timestamp() - interval '10 minutes'
        + CASE WHEN mode.testmode THEN k.ahead_seconds ELSE 0 END * interval '1 second') AT TIME ZONE 'UTC')::date - 1
    ORDER BY c.closed_at NULLS FIRST LIMIT ${most}::int`
}

export const liveSalesSince = (
  sql: Sql,
  storefrontIds: readonly string[],
  day: string,
): Promise<{ currency: Currency; sales: bigint; orders: number }[]> =>
  sql.$queryRaw`
    SELECT currency, sum(sales)::bigint AS sales, sum(orders)::int AS orders FROM daily_figures
    WHERE storefront_id = ANY(${[...storefrontIds]}) AND NOT testmode AND day >= ${day}::date
    GROUP BY currency HAVING sum(orders) > 0 ORDER BY currency`

/** A storefront is on hold while it moves to another installation. Its data must not change during a hold. */
export const isHeld = async (sql: Sql, { storefrontId }: Tenant): Promise<boolean> =>
  (await sql.storefronts.count({ where: { id: storefrontId, held_at: { not: null } } })) > 0

export const amountsBefore = (sql: Sql, subscriptionIds: readonly string[], day: string): Promise<AmountChange[]> =>
  sql.$queryRaw`
    SELECT DISTINCT ON (r.subscription_id) r.subscription_id AS "subscriptionId", s.customer_id AS "customerId",
      to_char(r.day, 'YYYY-MM-DD') AS day, r.currency, r.amount, r.plan_id AS "planId"
    FROM recurring_amounts r JOIN subscriptions s ON s.id = r.subscription_id
    WHERE r.subscription_id = ANY(${subscriptionIds}) AND r.day < ${day}::date ORDER BY r.subscription_id, r.day DESC`

export const historyOf = (
  sql: Sql,
  tenant: Tenant,
  customerIds: readonly string[],
  day: string,
): Promise<AmountChange[]> =>
  sql.$queryRaw`
    SELECT r.subscription_id AS "subscriptionId", s.customer_id AS "customerId", to_char(r.day, 'YYYY-MM-DD') AS day,
      r.currency, r.amount, r.plan_id AS "planId"
    FROM subscriptions s JOIN recurring_amounts r ON r.subscription_id = s.id
    WHERE s.customer_id = ANY(${customerIds}) AND (${ownedRows(tenant, 's')}) IS TRUE
      AND r.day < ${day}::date ORDER BY r.day`

export async function replaceAmounts(
  sql: Sql,
  tenant: Tenant,
  { from, to }: Days,
  changes: readonly AmountChange[],
): Promise<void> {
  await sql.recurring_amounts.deleteMany({
    where: { ...ownedBy(tenant), day: { gte: startOf(from), lte: startOf(to) } },
  })
  const rows = changes.map(({ subscriptionId, day, currency, amount, planId }) => ({
    ...ownedBy(tenant),
    subscription_id: subscriptionId,
    day: startOf(day),
    currency,
    amount,
    plan_id: planId,
  }))
  if (rows.length > 0) await insertRows(sql, 'recurring_amounts', rows)
}

export async function figuresOf(sql: Sql, tenant: Tenant, { from, to }: Days): Promise<FigureDay[]> {
  const where = { ...ownedBy(tenant), day: { gte: startOf(from), lte: startOf(to) } }
  return (await sql.daily_figures.findMany({ where, orderBy: [{ day: 'asc' }, { currency: 'asc' }] })).map(toFigures)
}

/** Includes the last day before the range, because the MRR of that day is the starting value of the range. */
export async function figuresIn(
  sql: Sql,
  tenant: Tenant,
  currency: Currency,
  { from, to }: Days,
): Promise<{ readonly before: FigureDay | null; readonly days: FigureDay[] }> {
  const owned = fragment`${ownedRows(tenant)} AND currency = ${currency}`
  const rows = await sql.$queryRaw<FigureRow[]>`
    SELECT ${allColumns('daily_figures')} FROM daily_figures
    WHERE ${owned} AND day <= ${to}::date AND day >= coalesce(
      (SELECT max(day) FROM daily_figures WHERE ${owned} AND day < ${from}::date AND day <= ${to}::date), ${from}::date)
    ORDER BY day`
  const figures = rows.map(toFigures)
  const first = figures[0]
  return first && first.day < from ? { before: first, days: figures.slice(1) } : { before: null, days: figures }
}

export const hasFigures = async (sql: Sql, tenant: Tenant, { from, to }: Days): Promise<boolean> =>
  (await sql.daily_figures.count({ where: { ...ownedBy(tenant), day: { gte: startOf(from), lte: startOf(to) } } })) > 0

export async function lastFiguresBefore(sql: Sql, tenant: Tenant, day: string) {
  const rows = await sql.$queryRaw<FigureRow[]>`
    SELECT ${allColumns('daily_figures', 'newest')} FROM unnest(${[...currencies]}::text[]) AS known (currency) CROSS JOIN LATERAL (
      SELECT ${allColumns('daily_figures', 'f')} FROM daily_figures f WHERE ${ownedRows(tenant)}
        AND f.currency = known.currency AND f.day < ${day}::date ORDER BY f.day DESC LIMIT 1) AS newest`
  return new Map(rows.map((row) => [row.currency, toFigures(row)] as const))
}

export async function replaceFigures(
  sql: Sql,
  tenant: Tenant,
  { from, to }: Days,
  figures: readonly FigureDay[],
): Promise<void> {
  await sql.daily_figures.deleteMany({ where: { ...ownedBy(tenant), day: { gte: startOf(from), lte: startOf(to) } } })
  if (figures.length > 0)
    await insertRows(
      sql,
      'daily_figures',
      figures.map((each) => toRow(tenant, each)),
    )
}

const toRow = (tenant: Tenant, figures: FigureDay) => ({
  ...ownedBy(tenant),
  currency: figures.currency,
  day: startOf(figures.day),
  sales: figures.sales,
  refunds: figures.refunds,
  disputes: figures.disputes,
  orders: figures.orders,
  opening_mrr: figures.openingMrr,
  new_mrr: figures.new,
  expansion_mrr: figures.expansion,
  contraction_mrr: figures.contraction,
  churn_mrr: figures.churn,
  reactivation_mrr: figures.reactivation,
  closing_mrr: figures.closingMrr,
  opening_subscribers: figures.openingSubscribers,
  new_subscribers: figures.newSubscribers,
  churned_subscribers: figures.churnedSubscribers,
  reactivated_subscribers: figures.reactivatedSubscribers,
  closing_subscribers: figures.closingSubscribers,
  plans: asText(figures.plans),
  countries: asText(figures.countries),
  cancellations: Object.fromEntries(figures.cancellations),
})

type FigureRow = Awaited<ReturnType<Sql['daily_figures']['findFirstOrThrow']>>

const toFigures = (row: FigureRow): FigureDay => ({
  currency: row.currency,
  day: dayOf(row.day),
  sales: row.sales,
  refunds: row.refunds,
  disputes: row.disputes,
  orders: row.orders,
  openingMrr: row.opening_mrr,
  new: row.new_mrr,
  expansion: row.expansion_mrr,
  contraction: row.contraction_mrr,
  churn: row.churn_mrr,
  reactivation: row.reactivation_mrr,
  closingMrr: row.closing_mrr,
  openingSubscribers: row.opening_subscribers,
  newSubscribers: row.new_subscribers,
  churnedSubscribers: row.churned_subscribers,
  reactivatedSubscribers: row.reactivated_subscribers,
  closingSubscribers: row.closing_subscribers,
  plans: toAmounts(row.plans),
  countries: toAmounts(row.countries),
  cancellations: new Map(Object.entries(row.cancellations as Record<string, number>)),
})

/** Amounts are stored as text, because JSON numbers cannot represent 64-bit integers exactly. */
const asText = (amounts: ReadonlyMap<string, bigint>) =>
  Object.fromEntries([...amounts].map(([key, amount]) => [key, String(amount)]))
const toAmounts = (json: unknown): ReadonlyMap<string, bigint> =>
  new Map(Object.entries(json as Record<string, string>).map(([key, amount]) => [key, BigInt(amount)]))

export const allStorefrontIds = async (sql: Sql): Promise<string[]> =>
  (await sql.storefronts.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id)

export interface KnownFigures {
  readonly closedDay: string | null
  /** The number of orders since the day `from`, by currency. If a currency has no orders since this day but had MRR before, its number is 0. */
  readonly orders: ReadonlyMap<Currency, number>
}

/** Returns the last closed day and the used currencies. A page chooses one of these currencies and then reads its figures. */
export async function knownFigures(sql: Sql, tenant: Tenant, from: string): Promise<KnownFigures> {
  const owned = ownedRows(tenant)
  const rows = await sql.$queryRaw<{ closedDay: string | null; currency: Currency | null; orders: number | null }[]>`
    SELECT closed."closedDay", used.currency, used.orders
    FROM (SELECT (SELECT to_char(day, 'YYYY-MM-DD') FROM closed_figures WHERE ${owned}) AS "closedDay") closed
    LEFT JOIN (
      SELECT currency, sum(orders)::int AS orders FROM daily_figures WHERE ${owned} AND day >= ${from}::date GROUP BY currency
      UNION ALL
      SELECT known.currency, 0 FROM unnest(${[...currencies]}::text[]) AS known (currency)
      WHERE (SELECT closing_mrr FROM daily_figures f WHERE ${owned} AND f.currency = known.currency AND day < ${from}::date
        ORDER BY day DESC LIMIT 1) > 0
    ) used ON true`
  const orders = new Map<Currency, number>()
  for (const row of rows)
    if (row.currency) orders.set(row.currency, (orders.get(row.currency) ?? 0) + (row.orders ?? 0))
  return { closedDay: rows[0]?.closedDay ?? null, orders }
}

export interface SumsBefore {
  readonly netRevenue: bigint
  readonly openingSubscribers: number
  readonly churnedSubscribers: number
}

export async function sumsOf(sql: Sql, tenant: Tenant, currency: Currency, { from, to }: Days): Promise<SumsBefore> {
  const [row] = await sql.$queryRaw<(Omit<SumsBefore, 'churnedSubscribers'> & { churnedSubscribers: bigint })[]>`
    SELECT coalesce(sum(sales + refunds + disputes), 0)::bigint AS "netRevenue",
      coalesce(sum(churned_subscribers), 0)::bigint AS "churnedSubscribers",
      coalesce((SELECT closing_subscribers FROM daily_figures WHERE ${ownedRows(tenant)}
        AND currency = ${currency} AND day < ${from}::date ORDER BY day DESC LIMIT 1), 0) AS "openingSubscribers"
    FROM daily_figures WHERE ${ownedRows(tenant)} AND currency = ${currency}
      AND day BETWEEN ${from}::date AND ${to}::date`
  return {
    netRevenue: row?.netRevenue ?? 0n,
    openingSubscribers: row?.openingSubscribers ?? 0,
    churnedSubscribers: Number(row?.churnedSubscribers ?? 0n),
  }
}
