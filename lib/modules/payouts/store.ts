import type { Currency } from '../../kernel/money.ts'
import { maskedIban } from '../../kernel/sepa.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { accountOf } from './account-store.ts'
import type { PayoutStatus } from './rules/state.ts'

export interface Payout {
  readonly id: string
  readonly currency: Currency
  /** `amount` is in minor units, more than 0. */
  readonly amount: bigint
  readonly status: PayoutStatus
  /** `byHand` is true if staff transferred the money by hand. All other payouts are transferred through a bank file. */
  readonly byHand: boolean
  /** The merchant's reference, which makes repeated requests safe. A canceled or returned payout frees its reference. */
  readonly reference: string | null
  readonly batchId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export async function insertPayout(sql: Sql, tenant: Tenant, payout: Omit<Payout, 'batchId'>): Promise<void> {
  const { id, currency, amount, status, byHand, reference, createdAt, finishedAt } = payout
  const data = { id, ...ownedBy(tenant), currency, amount, status, by_hand: byHand, reference }
  await sql.payouts.create({ data: { ...data, created_at: createdAt, finished_at: finishedAt }, select: { id: true } })
}

/**
 * Returns the payout with this reference, except a canceled or returned payout. The caller must lock the balance first,
 * so that no concurrent request uses the reference.
 */
export async function payoutWith(sql: Sql, tenant: Tenant, reference: string): Promise<Payout | null> {
  const row = await sql.payouts.findFirst({
    where: { ...ownedBy(tenant), reference, status: { notIn: ['canceled', 'returned'] } },
  })
  return row && toPayout(row)
}

export async function lockPayout(sql: Sql, tenant: Tenant, id: string): Promise<Payout | null> {
  await sql.$queryRaw`SELECT 1 FROM payouts
    WHERE id = ${id} AND ${ownedRows(tenant)} FOR UPDATE`
  const row = await sql.payouts.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toPayout(row)
}

export async function savePayout(sql: Sql, { id, status, finishedAt }: Payout): Promise<void> {
  await sql.payouts.update({ where: { id }, data: { status, finished_at: finishedAt }, select: { id: true } })
}

export async function findPayout(sql: Sql, tenant: Tenant, id: string): Promise<Payout | null> {
  const row = await sql.payouts.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toPayout(row)
}

export async function maskedAccountOf(sql: Sql, tenant: Tenant, id: string): Promise<string | null> {
  const row = await sql.payouts.findFirst({ where: { id, ...ownedBy(tenant) }, select: { account: true } })
  const iban = row?.account && accountOf(row.account).details?.iban
  return iban ? maskedIban(iban) : null
}

export function pageOfPayouts(sql: Sql, tenant: Tenant, query: PageQuery): Promise<Page<Payout>> {
  return page(query, {
    own: ownedBy(tenant),
    prefix: 'payout_',
    one: (asked) => sql.payouts.findFirst({ ...asked, select: { id: true } }),
    filter: {},
    find: async (asked) => (await sql.payouts.findMany(asked)).map(toPayout),
  })
}

export async function newestPayouts(sql: Sql, tenant: Tenant, take: number): Promise<Payout[]> {
  const rows = await sql.payouts.findMany({ where: ownedBy(tenant), orderBy: { id: 'desc' }, take })
  return rows.map(toPayout)
}

export async function tenantOfPayout(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.payouts.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

export async function payoutsIn(sql: Sql, batchId: string, status: PayoutStatus, take?: number) {
  const rows = await sql.payouts.findMany({
    where: { batch_id: batchId, status },
    orderBy: { id: 'asc' },
    ...(take !== undefined && { take }),
  })
  return rows.map((row) => ({
    payout: toPayout(row),
    tenant: { storefrontId: row.storefront_id, testmode: row.testmode },
  }))
}

type Row = Awaited<ReturnType<Sql['payouts']['findUniqueOrThrow']>>

export const toPayout = (row: Row): Payout => ({
  id: row.id,
  currency: row.currency,
  amount: row.amount,
  status: row.status,
  byHand: row.by_hand,
  reference: row.reference,
  batchId: row.batch_id,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})
