import type { Currency, Money } from '../../kernel/money.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { insertRows, type Sql, updateRows } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { reversalRow, toReversalLine, withReversalLines } from '../orders/rows.ts'
import { storedTax, toTaxes } from '../tax/rows.ts'
import type { Refund, RefundStatus } from './rules/index.ts'

export async function insertRefund(sql: Sql, tenant: Tenant, refund: Refund): Promise<void> {
  const row = {
    id: refund.id,
    ...ownedBy(tenant),
    order_id: refund.orderId,
    customer_id: refund.customerId,
    currency: refund.currency,
    subtotal: refund.subtotal,
    total: refund.total,
    tax_summary: refund.taxSummary.map(storedTax),
    metadata: refund.metadata,
    window_ends_at: refund.windowEndsAt,
    created_at: refund.createdAt,
    ...toColumns(refund),
  }
  await insertRows(sql, 'refunds', [row])
  const ids = { ...ownedBy(tenant), order_id: refund.orderId, refund_id: refund.id, chargeback_id: null }
  await insertRows(
    sql,
    'reversal_lines',
    refund.lines.map((line, position) => ({ ...reversalRow(line, position), ...ids })),
  )
}

export async function saveRefund(sql: Sql, refund: Refund): Promise<void> {
  await saveRefunds(sql, [refund])
}

export async function saveRefunds(sql: Sql, refunds: readonly Refund[]): Promise<void> {
  await updateRows(
    sql,
    'refunds',
    refunds.map((refund) => ({ id: refund.id, ...toColumns(refund) })),
  )
}

export async function findRefund(sql: Sql, tenant: Tenant, id: string, orderId?: string): Promise<Refund | null> {
  const where = { id, ...ownedBy(tenant), ...(orderId !== undefined && { order_id: orderId }) }
  const row = await sql.refunds.findFirst({ where, include: withReversalLines })
  return row && toRefund(row)
}

export async function lastTaxRefund(sql: Sql, tenant: Tenant, orderId: string): Promise<Refund | null> {
  const where = { order_id: orderId, ...ownedBy(tenant), subtotal: 0n }
  const row = await sql.refunds.findFirst({ where, include: withReversalLines, orderBy: { id: 'desc' } })
  return row && toRefund(row)
}

/** Locks the refund until the end of the transaction. If you also lock the order, lock the order first. */
export async function lockRefund(sql: Sql, tenant: Tenant, id: string): Promise<Refund | null> {
  await sql.$queryRaw`SELECT 1 FROM refunds WHERE id = ${id} FOR NO KEY UPDATE`
  return findRefund(sql, tenant, id)
}

export async function findRefundAnywhere(sql: Sql, id: string) {
  const row = await sql.refunds.findUnique({
    where: { id },
    select: { order_id: true, storefront_id: true, testmode: true },
  })
  return row && { orderId: row.order_id, tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

export async function tenantOfRefund(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.refunds.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

/** Returns the refunds that can still fail or be canceled, newest first. Lock the order and the balance before you call this function. */
export async function unfinishedRefunds(sql: Sql, tenant: Tenant, orderId: string): Promise<Refund[]> {
  await sql.$queryRaw`SELECT 1 FROM refunds WHERE order_id = ${orderId} ORDER BY id FOR NO KEY UPDATE`
  const unfinished: RefundStatus[] = ['pending', 'queued', 'processing']
  const where = { order_id: orderId, ...ownedBy(tenant), status: { in: unfinished } }
  return (await sql.refunds.findMany({ where, include: withReversalLines, orderBy: { id: 'desc' } })).map(toRefund)
}

export async function refundsAtBank(sql: Sql, tenant: Tenant, orderId: string): Promise<string[]> {
  const where = { order_id: orderId, ...ownedBy(tenant), status: 'processing' as const }
  return (await sql.refunds.findMany({ where, select: { id: true } })).map(({ id }) => id)
}

/** Returns the pending refunds whose cancel window is over, oldest first. Lock the balance before you call this function. */
export async function dueRefunds(
  sql: Sql,
  tenant: Tenant,
  { currency, now, most }: { currency: Currency; now: Date; most: number },
): Promise<Refund[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM refunds WHERE ${ownedRows(tenant)} AND currency = ${currency}
    AND status = 'pending' AND window_ends_at <= ${now} ORDER BY id LIMIT ${most}::int FOR NO KEY UPDATE`
  return oldestFirst(sql, rows, 'pending')
}

/** Returns the queued refunds, oldest first. Lock the balance before you call this function. */
export async function queuedRefunds(sql: Sql, tenant: Tenant, currency: Currency, most: number): Promise<Refund[]> {
  // The status is a literal, because PostgreSQL cannot use the partial index of queued refunds with a query parameter.
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM refunds WHERE ${ownedRows(tenant)} AND currency = ${currency}
    AND status = 'queued' ORDER BY id LIMIT ${most}::int`
  return oldestFirst(sql, rows, 'queued')
}

async function oldestFirst(sql: Sql, rows: readonly { id: string }[], status: RefundStatus): Promise<Refund[]> {
  if (rows.length === 0) return []
  const where = { id: { in: rows.map(({ id }) => id) }, status }
  return (await sql.refunds.findMany({ where, include: withReversalLines, orderBy: { id: 'asc' } })).map(toRefund)
}

/** Sums the sent and completed refunds by order. Lock the balance before you call this function. */
export async function sentOf(
  sql: Sql,
  orderIds: string[],
): Promise<Map<string, { subtotal: bigint; feeReturned: bigint }>> {
  const rows = await sql.refunds.groupBy({
    by: ['order_id'],
    where: { order_id: { in: orderIds }, status: { in: ['processing', 'refunded'] } },
    _sum: { subtotal: true, fee_returned: true },
  })
  return new Map(
    rows.map(({ order_id, _sum }) => [
      order_id,
      { subtotal: _sum.subtotal ?? 0n, feeReturned: _sum.fee_returned ?? 0n },
    ]),
  )
}

export interface RefundFilters {
  readonly orderId?: string | undefined
  readonly customerId?: string | undefined
  readonly status?: RefundStatus | undefined
}

export function pageOfRefunds(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { orderId, customerId, status }: RefundFilters = {},
): Promise<Page<Refund>> {
  return page(query, {
    own: ownedBy(tenant),
    prefix: 'refund_',
    one: (asked) => sql.refunds.findFirst({ ...asked, select: { id: true } }),
    filter: {
      ...(orderId !== undefined && { order_id: orderId }),
      ...(customerId !== undefined && { customer_id: customerId }),
      ...(status && { status }),
    },
    find: async (asked) => (await sql.refunds.findMany({ ...asked, include: withReversalLines })).map(toRefund),
  })
}

const toColumns = ({ status, recalledAt, feeReturned, creditNoteId, finishedAt }: Refund) => ({
  status,
  recalled_at: recalledAt,
  fee_returned: feeReturned,
  credit_note_id: creditNoteId,
  finished_at: finishedAt,
})

type Row = Awaited<ReturnType<Sql['refunds']['findUniqueOrThrow']>> & { lines: Parameters<typeof toReversalLine>[0][] }

const toRefund = (row: Row): Refund => ({
  id: row.id,
  testmode: row.testmode,
  orderId: row.order_id,
  customerId: row.customer_id,
  status: row.status,
  currency: row.currency,
  subtotal: row.subtotal,
  total: row.total,
  taxSummary: toTaxes(row.tax_summary),
  lines: row.lines.map(toReversalLine),
  metadata: row.metadata,
  feeReturned: row.fee_returned,
  windowEndsAt: row.window_ends_at,
  recalledAt: row.recalled_at,
  creditNoteId: row.credit_note_id,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})

export interface ComparedRefund {
  readonly id: string
  readonly amount: Money
  readonly status: RefundStatus
  readonly finishedAt: Date | null
}

export async function refundsToCompare(sql: Sql, ids: readonly string[]): Promise<ComparedRefund[]> {
  return (await sql.refunds.findMany({ where: { id: { in: [...ids] } } })).map(toCompared)
}

/** Returns a page, sorted by id, of refunds whose cancel window ended after `since` and that were completed before `until`. */
export async function refundedToCompare(
  sql: Sql,
  provider: string,
  { since, until, after }: { since: Date; until: Date; after: string },
): Promise<ComparedRefund[]> {
  const rows = await sql.$queryRaw<{ id: string; total: bigint; currency: Currency; finished_at: Date }[]>`
    SELECT r.id, r.total, r.currency, r.finished_at FROM refunds r JOIN payments p ON p.paid_order_id = r.order_id
    WHERE p.provider = ${provider} AND r.status = 'refunded' AND r.window_ends_at >= ${since}
      AND r.finished_at <= ${until} AND r.id > ${after}
    ORDER BY r.id LIMIT 1000`
  return rows.map(({ id, total, currency, finished_at }) => ({
    id,
    amount: { minor: total, currency },
    status: 'refunded',
    finishedAt: finished_at,
  }))
}

const toCompared = (row: Awaited<ReturnType<Sql['refunds']['findUniqueOrThrow']>>): ComparedRefund => ({
  id: row.id,
  amount: { minor: row.total, currency: row.currency },
  status: row.status,
  finishedAt: row.finished_at,
})
