import { firstIdAt } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { allColumns } from '../../platform/db/columns.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { statementKind } from './rows.ts'
import type { Account } from './rules/account.ts'
import type { PostedSum, StatementKind } from './rules/statement.ts'

export interface LedgerEntry {
  readonly id: string
  readonly transactionId: string
  readonly subjectId: string
  readonly orderId: string | null
  readonly cause: string
  readonly account: Account
  readonly currency: Currency
  readonly amount: bigint
  readonly createdAt: Date
}

/** Returns the changed accounts with their new sums. Other postings on these accounts wait until this transaction ends. */
export async function insertEntries(
  sql: Sql,
  { storefrontId, testmode }: Tenant,
  entries: readonly LedgerEntry[],
): Promise<{ account: Account; currency: Currency; amount: bigint; hasWaiters: boolean }[]> {
  const rows = entries.map((entry) => ({
    id: entry.id,
    transaction_id: entry.transactionId,
    storefront_id: storefrontId,
    testmode,
    order_id: entry.orderId,
    subject_id: entry.subjectId,
    cause: entry.cause,
    account: entry.account,
    currency: entry.currency,
    amount: String(entry.amount),
    created_at: entry.createdAt,
  }))
  const columns = allColumns('ledger_entries')
  // A fixed lock order prevents deadlocks between postings. The merchant's balance is first, as in `lockBalance`.
  return sql.$queryRaw`
    WITH booked AS (
      INSERT INTO ledger_entries (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::ledger_entries, ${JSON.stringify(rows)}::json)
      RETURNING storefront_id, testmode, currency, account, amount)
    INSERT INTO ledger_accounts AS kept (storefront_id, testmode, currency, account, amount)
    SELECT storefront_id, testmode, currency, account, sum(amount) FROM booked GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, account <> 'merchant_balance', 4
    ON CONFLICT (storefront_id, testmode, currency, account) DO UPDATE SET amount = kept.amount + EXCLUDED.amount
    RETURNING account, currency, amount, has_waiters AS "hasWaiters"`
}

/** Returns the balance owed to the merchant, in minor units; negative if the merchant owes the service. Other postings wait until the commit. */
export async function lockBalance(sql: Sql, { storefrontId, testmode }: Tenant, currency: Currency): Promise<bigint> {
  // Only an existing row can be locked, so this statement inserts the row before the first posting.
  const [row] = await sql.$queryRaw<{ amount: bigint }[]>`
    INSERT INTO ledger_accounts AS kept (storefront_id, testmode, currency, account, amount)
    VALUES (${storefrontId}, ${testmode}, ${currency}, 'merchant_balance', 0)
    ON CONFLICT (storefront_id, testmode, currency, account) DO UPDATE SET amount = kept.amount RETURNING amount`
  if (!row) throw new Error('the query that locks a balance returned no row')
  return -row.amount
}

/** Stores whether refunds wait for the balance. The caller must lock the balance first. */
export async function setHasWaiters(sql: Sql, tenant: Tenant, currency: Currency, waits: boolean): Promise<void> {
  const where = { ...ownedBy(tenant), currency, account: 'merchant_balance', has_waiters: !waits }
  await sql.ledger_accounts.updateMany({ where, data: { has_waiters: waits } })
}

export const hasWaiters = async (sql: Sql, tenant: Tenant): Promise<boolean> =>
  (await sql.ledger_accounts.count({ where: { ...ownedBy(tenant), account: 'merchant_balance', has_waiters: true } })) >
  0

export async function feesOnSales(sql: Sql, orderIds: string[]): Promise<Map<string, bigint>> {
  const where = { subject_id: { in: orderIds }, cause: 'order.paid', account: 'platform_fee' }
  const rows = await sql.ledger_entries.findMany({ where })
  return new Map(rows.map(({ subject_id, amount }) => [subject_id, -amount]))
}

export async function balancesOf(sql: Sql, tenant: Tenant) {
  const rows = await sql.ledger_accounts.findMany({
    where: ownedBy(tenant),
    orderBy: [{ currency: 'asc' }, { account: 'asc' }],
  })
  return rows.map(({ account, currency, amount }) => ({
    account: account as Account,
    currency: currency as Currency,
    amount,
  }))
}

/**
 * Returns the part of the balance, in minor units, from orders that were paid after `after` and no later than `until`. Refunds and costs reduce the amount of
 * their order, but not below 0.
 */
export async function stillOwedOf(
  sql: Sql,
  tenant: Tenant,
  currency: Currency,
  { after, until = null }: { after: Date; until?: Date | null },
): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ owed: bigint }[]>`
    WITH sold AS (
      SELECT order_id FROM ledger_entries
      WHERE ${ownedRows(tenant)} AND currency = ${currency}
        AND account = 'merchant_balance' AND cause = 'order.paid' AND created_at > ${after}
        AND (${until}::timestamptz IS NULL OR created_at <= ${until})),
    owed AS (
      SELECT -sum(amount) AS amount FROM ledger_entries JOIN sold USING (order_id)
      WHERE ${ownedRows(tenant)} AND currency = ${currency}
        AND account = 'merchant_balance'
      GROUP BY order_id)
    SELECT coalesce(sum(greatest(amount, 0)), 0)::bigint AS owed FROM owed`
  return row?.owed ?? 0n
}

/**
 * Returns the sums by kind, currency, and account in minor units. `countOf` returns the numbers of orders, refunds, disputes, orders with a returned debit, and
 * payouts in a currency. A correction of an order's tax counts as a refund. When the tax is later sent to the buyer's bank, this refund does not count again.
 */
export async function postedDuring(sql: Sql, tenant: Tenant, { from, until }: Span) {
  const ids = idsBetween({ from, until })
  const rows = await sql.$queryRaw<(Omit<PostedSum, 'account'> & { account: Account | null; count: bigint })[]>`
    SELECT kind, currency, account, sum(amount)::bigint AS amount,
      count(DISTINCT CASE kind WHEN 'return' THEN order_id ELSE subject_id END) FILTER (WHERE NOT is_transit) AS count
    FROM (
      SELECT ${statementKind} AS kind,
        cause = 'refund.completed' AND account IN ('refunds', 'provider_clearing') AS is_transit,
        currency, account, amount, subject_id, order_id
      FROM ledger_entries
      WHERE ${ownedRows(tenant)} AND created_at >= ${from} AND created_at < ${until}
        AND id >= ${ids.gte} AND id < ${ids.lt}
    ) AS posted GROUP BY GROUPING SETS ((kind, currency, account), (kind, currency))`
  return {
    posted: rows.flatMap(({ account, kind, currency, amount }) =>
      account ? [{ kind, currency, account, amount }] : [],
    ),
    countOf: (wanted: Currency): ReadonlyMap<StatementKind, number> =>
      new Map(
        rows.flatMap(({ account, kind, currency, count }) =>
          account === null && currency === wanted ? [[kind, Number(count)] as const] : [],
        ),
      ),
  }
}

/** Returns the sum of entries by currency, in minor units. A debit is positive. */
export async function balanceSince(sql: Sql, tenant: Tenant, from: Date): Promise<Map<Currency, bigint>> {
  const where = {
    ...ownedBy(tenant),
    account: 'merchant_balance',
    id: { gte: firstIdAt('entry_', from) },
    created_at: { gte: from },
  }
  const sums = await sql.ledger_entries.groupBy({ by: ['currency'], where, _sum: { amount: true } })
  return new Map(sums.map(({ currency, _sum }) => [currency as Currency, _sum.amount ?? 0n]))
}

export async function firstPostingAt(sql: Sql, tenant: Tenant): Promise<Date | null> {
  const first = await sql.ledger_entries.findFirst({ where: ownedBy(tenant), orderBy: { id: 'asc' } })
  return first?.created_at ?? null
}

interface Span {
  readonly from: Date
  readonly until: Date
}

/** Ids sort by the second of `created_at`, so an index on ids finds the entries of a period. */
const idsBetween = ({ from, until }: Span) => ({ gte: firstIdAt('entry_', from), lt: firstIdAt('entry_', until) })

/**
 * Returns the tax that became payable in a period, less the returned tax, by currency in minor units. If `storefrontId`
 * is null, includes all storefronts.
 */
export async function taxPosted(
  sql: Sql,
  { testmode, storefrontId }: { readonly testmode: boolean; readonly storefrontId: string | null },
  { from, until }: Span,
): Promise<Map<Currency, bigint>> {
  const sums = await sql.ledger_entries.groupBy({
    by: ['currency'],
    where: {
      testmode,
      account: 'tax_payable',
      created_at: { gte: from, lt: until },
      ...(storefrontId !== null && { storefront_id: storefrontId, id: idsBetween({ from, until }) }),
    },
    _sum: { amount: true },
  })
  return new Map(sums.map(({ currency, _sum }) => [currency as Currency, -(_sum.amount ?? 0n)]))
}

export async function entriesOf(sql: Sql, tenant: Tenant, limit?: number): Promise<LedgerEntry[]> {
  const newest = { orderBy: { id: 'desc' }, ...(limit !== undefined && { take: limit }) } as const
  return (await sql.ledger_entries.findMany({ where: ownedBy(tenant), ...newest })).map(toEntry)
}

export async function entriesOfSubject(sql: Sql, tenant: Tenant, subjectId: string): Promise<LedgerEntry[]> {
  const where = { subject_id: subjectId, ...ownedBy(tenant) }
  return (await sql.ledger_entries.findMany({ where, orderBy: { id: 'asc' } })).map(toEntry)
}

export function pageOfEntries(sql: Sql, tenant: Tenant, query: PageQuery): Promise<Page<LedgerEntry>> {
  return page(query, {
    own: ownedBy(tenant),
    prefix: 'entry_',
    one: (asked) => sql.ledger_entries.findFirst({ ...asked, select: { id: true } }),
    filter: {},
    find: async (asked) => (await sql.ledger_entries.findMany(asked)).map(toEntry),
  })
}

const toEntry = (row: Awaited<ReturnType<Sql['ledger_entries']['findUniqueOrThrow']>>): LedgerEntry => ({
  id: row.id,
  transactionId: row.transaction_id,
  subjectId: row.subject_id,
  orderId: row.order_id,
  cause: row.cause,
  account: row.account as Account,
  currency: row.currency,
  amount: row.amount,
  createdAt: row.created_at,
})
