import { isOpenable, seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { fragment, literal, rawFragment } from '../../platform/db/fragment.ts'
import { accountOf } from './account-store.ts'
import type { StoredAccount } from './rules/account.ts'
import { type Payout, toPayout } from './store.ts'

/**
 * Selects the payouts of one bank file. In live mode, the file has the payouts of all storefronts, because one seller pays them. In test mode, the file has
 * the payouts of one storefront.
 */
export interface PayoutScope {
  readonly testmode: boolean
  readonly storefrontId: string | null
}

export interface Batch {
  readonly id: string
  readonly scope: PayoutScope
  readonly count: number
  readonly total: bigint
  /** `file` is null if another installation made the file, or if the key that encrypted the file is lost. */
  readonly file: string | null
  readonly createdAt: Date
}

export const sealedAt = (id: string) => `payout_batches|${id}|sealed`

export async function lockExports(sql: Sql): Promise<void> {
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('payout_batches', 0))::text`
}

export async function openBatch(sql: Sql, { testmode, storefrontId }: PayoutScope): Promise<Batch | null> {
  const where = { testmode, storefront_id: storefrontId, payouts: { some: { status: 'exported' as const } } }
  const row = await sql.payout_batches.findFirst({ where, orderBy: { id: 'asc' } })
  return row && toBatch(row)
}

export async function findBatch(sql: Sql, id: string): Promise<Batch | null> {
  const row = await sql.payout_batches.findUnique({ where: { id } })
  return row && toBatch(row)
}

export const hasLiveExported = async (sql: Sql, storefrontId: string): Promise<boolean> =>
  (await sql.payouts.count({ where: { storefront_id: storefrontId, testmode: false, status: 'exported' } })) > 0

const unless = (column: 'held_at' | 'suspended_at') =>
  fragment`NOT EXISTS (SELECT 1 FROM storefronts WHERE storefronts.id = payouts.storefront_id AND ${rawFragment(column)} IS NOT NULL)`
/**
 * Excludes payouts of storefronts on hold. A storefront on hold moves to another installation, which settles the
 * payouts.
 */
const isSettledHere = unless('held_at')
/** A payout of a suspended storefront waits until the suspension is lifted. */
const isForFile = fragment`${isSettledHere} AND ${unless('suspended_at')}`

/** Returns the oldest requested payouts with the bank details of their storefronts. Skips storefronts that are on hold or suspended. */
export async function requestedPayouts(
  sql: Sql,
  { testmode, storefrontId }: PayoutScope,
  most: number,
): Promise<{ payout: Payout; accounts: StoredAccount[] }[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM payouts WHERE status = 'requested' AND testmode = ${testmode}
      AND (${storefrontId}::text IS NULL OR storefront_id = ${storefrontId})
      AND ${isForFile}
    ORDER BY id LIMIT ${most} FOR UPDATE OF payouts`
  const found = await sql.payouts.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, orderBy: { id: 'asc' } })
  const storefronts = [...new Set(found.map((row) => row.storefront_id))]
  const accounts = await sql.payout_accounts.findMany({
    where: { storefront_id: { in: storefronts }, testmode, stopped_at: null },
    orderBy: { id: 'desc' },
  })
  return found.map((row) => ({
    payout: toPayout(row),
    accounts: accounts.filter((each) => each.storefront_id === row.storefront_id).map(accountOf),
  }))
}

/**
 * Counts at most `atMost` open live payouts, and returns the creation time of the oldest counted payout. Skips storefronts on hold, and requested payouts of
 * suspended storefronts.
 */
export async function liveOpenPayouts(
  sql: Sql,
  status: 'requested' | 'exported',
  atMost: number,
): Promise<{ count: number; oldestAt: Date | null }> {
  // The status is a literal, because a generic query plan could not use the partial index of open payouts.
  const [row] = await sql.$queryRaw<{ count: number; oldestAt: Date | null }[]>`
    SELECT count(*)::int AS count, min(created_at) AS "oldestAt" FROM (
      SELECT created_at FROM payouts WHERE status = ${literal(status)} AND NOT testmode
        AND ${status === 'requested' ? isForFile : isSettledHere}
      ORDER BY id LIMIT ${atMost}::int) AS open`
  return row ?? { count: 0, oldestAt: null }
}

export async function liveSuspendedPayouts(sql: Sql, atMost: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM payouts WHERE status = 'requested' AND NOT testmode AND ${isSettledHere} AND NOT (${unless('suspended_at')})
      ORDER BY id LIMIT ${atMost}::int) AS suspended`
  return row?.count ?? 0
}

export interface BatchRow {
  readonly id: string
  readonly count: number
  readonly total: bigint
  readonly createdAt: Date
  /** The number of payouts whose outcome at the bank is not recorded yet. */
  readonly open: number
  readonly paid: number
  /** The number of payouts that the bank returned, or that were canceled. */
  readonly failed: number
  /** False for a file of another installation, and for a file whose encryption key is lost. */
  readonly isHere: boolean
}

export async function newestLiveBatches(sql: Sql, take: number): Promise<BatchRow[]> {
  // Reads only the first four bytes of an encrypted file, which identify its key. For a file of another installation,
  // the column is empty.
  const rows = await sql.$queryRaw<(Omit<BatchRow, 'isHere'> & { key: Uint8Array })[]>`
    SELECT id, count, total, created_at AS "createdAt", substring(sealed from 1 for 4) AS key,
      outcomes.open, outcomes.paid, outcomes.failed
    FROM (SELECT id, count, total, created_at, sealed FROM payout_batches WHERE NOT testmode ORDER BY id DESC LIMIT ${take}::int) newest,
      LATERAL (SELECT (count(*) FILTER (WHERE status = 'exported'))::int AS open, (count(*) FILTER (WHERE status = 'paid'))::int AS paid,
        (count(*) FILTER (WHERE status IN ('returned', 'canceled')))::int AS failed FROM payouts WHERE batch_id = newest.id) outcomes
    ORDER BY id DESC`
  return rows.map(({ key, ...row }) => ({ ...row, isHere: isOpenable(key) }))
}

export interface RequestedRow {
  readonly id: string
  readonly storefrontId: string
  readonly amount: bigint
  readonly createdAt: Date
}

export const requestedLivePayouts = (sql: Sql, take: number): Promise<RequestedRow[]> =>
  sql.$queryRaw`
    SELECT id, storefront_id AS "storefrontId", amount, created_at AS "createdAt" FROM payouts
    WHERE status = 'requested' AND NOT testmode
      AND ${isForFile}
    ORDER BY id LIMIT ${take}::int`

/** The caller must lock the payouts first. */
export async function insertBatch(
  sql: Sql,
  { id, scope, count, total, file, createdAt }: Batch & { file: string },
  items: readonly { payoutId: string; accountId: string }[],
): Promise<void> {
  const sealed = seal(file, sealedAt(id))
  const of = { testmode: scope.testmode, storefront_id: scope.storefrontId }
  const data = { id, ...of, currency: 'EUR' as const, count, total, sealed, created_at: createdAt }
  await sql.payout_batches.create({ data, select: { id: true } })
  const changed = await sql.$executeRaw`
    UPDATE payouts SET status = 'exported', batch_id = ${id}, account_id = item."accountId"
    FROM json_to_recordset(${JSON.stringify(items)}::json) AS item ("payoutId" text, "accountId" text)
    WHERE payouts.id = item."payoutId" AND status = 'requested'`
  if (changed !== items.length) throw new Error('a payout of the bank file no longer has the status requested')
}

type Row = Awaited<ReturnType<Sql['payout_batches']['findUniqueOrThrow']>>

const toBatch = (row: Row): Batch => ({
  id: row.id,
  scope: { testmode: row.testmode, storefrontId: row.storefront_id },
  count: row.count,
  total: row.total,
  file: fileOf(row),
  createdAt: row.created_at,
})

/**
 * Returns the decrypted file. Returns null for a file of another installation, and for a file whose encryption key is
 * lost. If a storefront moves, its files stay in the former installation, because they can contain payouts of other
 * storefronts.
 */
const fileOf = ({ id, sealed }: Row): string | null =>
  sealed.length === 0 ? null : unsealIfOpenable(sealed, sealedAt(id))
