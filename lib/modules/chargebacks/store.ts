import type { Currency, Money } from '../../kernel/money.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { reversalRow, toReversalLine, withReversalLines } from '../orders/rows.ts'
import { storedTax, toTaxes } from '../tax/rows.ts'
import type { Chargeback, ChargebackStatus } from './rules/index.ts'
import { lostStatuses, openStatuses, statusesAtBank } from './rules/state.ts'

export async function insertChargeback(sql: Sql, tenant: Tenant, chargeback: Chargeback): Promise<void> {
  const row = {
    id: chargeback.id,
    ...ownedBy(tenant),
    order_id: chargeback.orderId,
    customer_id: chargeback.customerId,
    provider_ref: chargeback.ref,
    reason: chargeback.reason,
    currency: chargeback.currency,
    amount: chargeback.amount,
    provider_fee: chargeback.providerFee,
    created_at: chargeback.createdAt,
    respond_by: null,
    answer: null,
    answered_at: null,
    ...toColumns(chargeback),
  }
  await insertRows(sql, 'chargebacks', [row])
  await insertLines(sql, tenant, chargeback, 0)
}

export async function saveChargeback(sql: Sql, chargeback: Chargeback): Promise<void> {
  await sql.chargebacks.update({ where: { id: chargeback.id }, data: toColumns(chargeback), select: { id: true } })
}

export async function insertLines(
  sql: Sql,
  tenant: Tenant,
  { id, orderId, lines }: Chargeback,
  from: number,
): Promise<void> {
  const ids = { ...ownedBy(tenant), order_id: orderId, refund_id: null, chargeback_id: id }
  const rows = lines.map((line, position) => ({ ...reversalRow(line, position), ...ids })).slice(from)
  if (rows.length > 0) await insertRows(sql, 'reversal_lines', rows)
}

export async function findChargeback(
  sql: Sql,
  tenant: Tenant,
  id: string,
  orderId?: string,
): Promise<Chargeback | null> {
  const where = { id, ...ownedBy(tenant), ...(orderId !== undefined && { order_id: orderId }) }
  const row = await sql.chargebacks.findFirst({ where, include: withReversalLines })
  return row && toChargeback(row)
}

/** Lock the order before you call this function. */
export async function chargebackByRef(sql: Sql, tenant: Tenant, ref: string): Promise<Chargeback | null> {
  const where = { provider_ref: ref, ...ownedBy(tenant) }
  const row = await sql.chargebacks.findFirst({ where, include: withReversalLines })
  return row && toChargeback(row)
}

/**
 * Returns the disputes of an order that wait for the decision of the bank, oldest first. Excludes disputes in an amount review. Lock the
 * order before you call this function.
 */
export async function openChargebacks(sql: Sql, tenant: Tenant, orderId: string): Promise<Chargeback[]> {
  const where = { order_id: orderId, ...ownedBy(tenant), status: { in: [...statusesAtBank] } }
  return (await sql.chargebacks.findMany({ where, include: withReversalLines, orderBy: { id: 'asc' } })).map(
    toChargeback,
  )
}

/**
 * Whether an order has a dispute in one of `openStatuses`. If `orLost` is set, a lost or accepted dispute counts too.
 */
export async function hasOpenChargeback(
  sql: Sql,
  tenant: Tenant,
  orderId: string,
  { orLost = false } = {},
): Promise<boolean> {
  const statuses = [...openStatuses, ...(orLost ? lostStatuses : [])]
  const where = { order_id: orderId, ...ownedBy(tenant), status: { in: statuses } }
  return (await sql.chargebacks.count({ where })) > 0
}

export async function disputedAmong(sql: Sql, orderIds: readonly string[]): Promise<Set<string>> {
  const where = { order_id: { in: [...orderIds] }, status: { in: [...openStatuses] } }
  const rows = orderIds.length === 0 ? [] : await sql.chargebacks.findMany({ where, select: { order_id: true } })
  return new Set(rows.map(({ order_id }) => order_id))
}

/**
 * Returns the lost or accepted disputes whose disputed amount exceeds the allocated part of the order, oldest first.
 * `excess` is the difference in minor units.
 */
export const excessOf = (
  sql: Sql,
  tenant: Tenant,
): Promise<{ id: string; currency: Currency; excess: bigint }[]> => sql.$queryRaw`
  SELECT id, currency, amount - total AS excess FROM chargebacks
  WHERE ${ownedRows(tenant)} AND status = ANY(${[...lostStatuses]}) AND amount > total ORDER BY id`

export interface ComparedChargeback {
  readonly id: string
  readonly ref: string
  readonly amount: Money
  readonly status: ChargebackStatus
  readonly tenant: Tenant
}

export async function chargebacksToCompare(sql: Sql, refs: readonly string[]): Promise<ComparedChargeback[]> {
  const rows = await sql.chargebacks.findMany({ where: { provider_ref: { in: [...refs] } } })
  return rows.map(toCompared)
}

/**
 * Returns up to 1,000 chargebacks of a provider, sorted by id. The chargebacks were received from `since` to `until`,
 * and their ids are greater than `after`.
 */
export async function receivedToCompare(
  sql: Sql,
  provider: string,
  { since, until, after }: { since: Date; until: Date; after: string },
): Promise<ComparedChargeback[]> {
  const rows = await sql.chargebacks.findMany({
    where: {
      created_at: { gte: since, lte: until },
      id: { gt: after },
      order: { payments: { some: { provider, OR: [{ status: 'paid' }, { return_ref: { not: null } }] } } },
    },
    orderBy: { id: 'asc' },
    take: 1000,
  })
  return rows.map(toCompared)
}

const toCompared = (row: Awaited<ReturnType<Sql['chargebacks']['findUniqueOrThrow']>>): ComparedChargeback => ({
  id: row.id,
  ref: row.provider_ref,
  status: row.status,
  amount: { minor: row.amount, currency: row.currency },
  tenant: { storefrontId: row.storefront_id, testmode: row.testmode },
})

/**
 * Returns the open disputes of a storefront in a currency. `amount` is the disputed amount. `total` is the part of the
 * order that is allocated to the dispute, with tax. `orderTotal` is the total of the order. All amounts are in minor
 * units.
 */
export async function openDisputesOf(sql: Sql, tenant: Tenant, currency: Currency) {
  const rows = await sql.chargebacks.findMany({
    where: { ...ownedBy(tenant), currency, status: { in: [...openStatuses] } },
    select: { status: true, amount: true, total: true, provider_fee: true, order: { select: { total: true } } },
  })
  return rows.map(({ status, amount, total, provider_fee, order }) => ({
    status: status as ChargebackStatus,
    amount,
    total,
    providerFee: provider_fee,
    orderTotal: order.total,
  }))
}

export const countPendingChargebacks = async (sql: Sql, tenant: Tenant, atMost: number): Promise<number> => {
  const where = { ...ownedBy(tenant), status: 'pending' as const }
  return (await sql.chargebacks.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: atMost })).length
}

export async function tenantOfChargeback(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.chargebacks.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

/**
 * Returns the chargebacks that wait for an operator's decision, oldest first. Includes all storefronts and both modes.
 */
export async function chargebacksToDecide(
  sql: Sql,
  take = mostToDecide,
): Promise<{ tenant: Tenant; chargeback: Chargeback }[]> {
  const rows = await sql.chargebacks.findMany({
    where: { id: { in: await idsToDecide(sql, take) } },
    orderBy: { id: 'asc' },
    include: withReversalLines,
  })
  return rows.map((row) => ({
    tenant: { storefrontId: row.storefront_id, testmode: row.testmode },
    chargeback: toChargeback(row),
  }))
}

const mostToDecide = 500

export const countChargebacksToDecide = async (sql: Sql, atMost: number): Promise<number> =>
  (await idsToDecide(sql, atMost)).length

async function idsToDecide(sql: Sql, atMost: number): Promise<string[]> {
  // The status is a literal, because with a query parameter PostgreSQL could not use the partial index of these chargebacks.
  const waiting = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM chargebacks WHERE status = 'requires_amount_review' ORDER BY id LIMIT ${atMost}::int`
  return waiting.map(({ id }) => id)
}

export async function countLiveChargebacks(
  sql: Sql,
  storefrontIds: readonly string[],
  atMost: number,
): Promise<{ count: number; lost: number }> {
  const [row] = await sql.$queryRaw<{ count: number; lost: number }[]>`
    SELECT count(*)::int AS count, (count(*) FILTER (WHERE status = ANY(${[...lostStatuses]})))::int AS lost FROM (
      SELECT status FROM chargebacks WHERE storefront_id = ANY(${[...storefrontIds]}) AND NOT testmode
      ORDER BY id DESC LIMIT ${atMost}::int) AS newest`
  return row ?? { count: 0, lost: 0 }
}

export interface ChargebackFilters {
  readonly orderId?: string | undefined
  readonly customerId?: string | undefined
  readonly status?: ChargebackStatus | undefined
}

/**
 * Returns the arguments of `page` that all lists of chargebacks share. Each list adds its own `find`, because each list
 * reads different columns.
 */
export const chargebackList = (sql: Sql, tenant: Tenant, { orderId, customerId, status }: ChargebackFilters) => ({
  own: ownedBy(tenant),
  one: (asked: Parameters<Sql['chargebacks']['findFirst']>[0]) =>
    sql.chargebacks.findFirst({ ...asked, select: { id: true } }),
  prefix: 'chargeback_' as const,
  filter: {
    ...(orderId !== undefined && { order_id: orderId }),
    ...(customerId !== undefined && { customer_id: customerId }),
    ...(status && { status }),
  },
})

export const pageOfChargebacks = (
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  filters: ChargebackFilters = {},
): Promise<Page<Chargeback>> =>
  page(query, {
    ...chargebackList(sql, tenant, filters),
    find: async (asked) => (await sql.chargebacks.findMany({ ...asked, include: withReversalLines })).map(toChargeback),
  })

const toColumns = ({ status, subtotal, total, taxSummary, creditNoteId, finishedAt }: Chargeback) => ({
  status,
  subtotal,
  total,
  tax_summary: taxSummary.map(storedTax),
  credit_note_id: creditNoteId,
  finished_at: finishedAt,
})

type Row = Awaited<ReturnType<Sql['chargebacks']['findUniqueOrThrow']>> & {
  lines: Parameters<typeof toReversalLine>[0][]
}

export const toChargeback = (row: Row): Chargeback => ({
  id: row.id,
  testmode: row.testmode,
  orderId: row.order_id,
  customerId: row.customer_id,
  ref: row.provider_ref,
  status: row.status,
  reason: row.reason,
  currency: row.currency,
  amount: row.amount,
  providerFee: row.provider_fee,
  subtotal: row.subtotal,
  total: row.total,
  taxSummary: toTaxes(row.tax_summary),
  lines: row.lines.map(toReversalLine),
  creditNoteId: row.credit_note_id,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})
