import { monthsFrom } from '../kernel/calendar-period.ts'
import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import type { BalancePage, LedgerRow } from '../modules/ledger/page.ts'
import { balancesOf, firstPostingAt, type LedgerEntry, pageOfEntries } from '../modules/ledger/store.ts'
import { numbersOf } from '../modules/orders/by-number.ts'
import { now as timeOf } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { exportOf } from './export.ts'
import { adminList, type ListParameters } from './list.ts'

const ledgerRow = ({
  id,
  subjectId,
  orderId,
  cause,
  account,
  currency,
  amount: moved,
  createdAt,
}: LedgerEntry): Omit<LedgerRow, 'invoiceNumber'> => ({
  id,
  subjectId,
  orderId,
  cause,
  account,
  amount: amount(moved, currency),
  createdAt: toWire(createdAt),
})

/** The page lists statements of this number of months. The command line shows older statements. */
const mostMonths = 24

export async function balancePage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<BalancePage | null> {
  const access = await accessTo(place, 'balance', cookies)
  if (!access) return null
  const { tenant, path } = access
  const sums = await balancesOf(db(), tenant)
  const owed = sums.filter(({ account }) => account === 'merchant_balance')
  const first = await firstPostingAt(db(), tenant)
  const list = await adminList(
    `${path}/balance`,
    parameters,
    (query, sql) => pageOfEntries(sql, tenant, query),
    ledgerRow,
  )
  const numbers = await numbersOf(db(), tenant, [...new Set(list.rows.flatMap(({ orderId }) => orderId ?? []))])
  return {
    // `merchant_balance` is a liability of the service, so its credit balance is negative.
    owed: owed.map((each) => amount(-each.amount, each.currency)),
    months: first ? monthsFrom(first, await timeOf(db(), tenant), mostMonths) : [],
    accounts: sums.map((each) => ({ account: each.account, amount: amount(each.amount, each.currency) })),
    entries: {
      ...list,
      rows: list.rows.map((row) => ({ ...row, invoiceNumber: numbers.get(row.orderId ?? '') ?? null })),
      ...exportOf(access, 'balance'),
    },
  }
}
