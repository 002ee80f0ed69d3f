import { monthsFrom } from '../kernel/calendar-period.ts'
import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import type { BalancePage, LedgerRow } from '../modules/ledger/page.ts'
import { balancesOf, firstPostingAt, type LedgerEntry, pageOfEntries } from '../modules/ledger/store.ts'
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
}: LedgerEntry): LedgerRow => ({
  id,
  subjectId,
  orderId,
  cause,
  account,
  amount: amount(moved, currency),
  createdAt: toWire(createdAt),
})

/** The command line has older statements. */
const mostMonths = 24

/** The balance of a storefront and mode, the sums of its accounts, and their entries, newest first. */
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
  return {
    // A credit of the account is what we owe the merchant.
    owed: owed.map((each) => amount(-each.amount, each.currency)),
    months: first ? monthsFrom(first, await timeOf(db(), tenant), mostMonths) : [],
    accounts: sums.map((each) => ({ account: each.account, amount: amount(each.amount, each.currency) })),
    entries: {
      ...(await adminList(`${path}/balance`, parameters, (query, sql) => pageOfEntries(sql, tenant, query), ledgerRow)),
      ...exportOf(access, 'balance'),
    },
  }
}
