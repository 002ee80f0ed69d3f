import { type Period, periodOf } from '../../kernel/calendar-period.ts'
import { csvTable } from '../../kernel/csv.ts'
import { formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { type Tenant, now as timeOf } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { requireStorefront } from '../accounts/store.ts'
import { type Statement, statementOf } from './rules/statement.ts'
import { balanceSince, balancesOf, postedDuring } from './store.ts'

export interface PeriodStatement {
  readonly period: Period
  /** `status` is `provisional` until the period has ended. */
  readonly status: 'provisional' | 'final'
  readonly statements: readonly Statement[]
}

/**
 * Returns the statement of a month, quarter, or year in UTC, from one snapshot of the ledger. Throws `validation_failed` for an unknown storefront or period.
 */
export async function statementFor(tenant: Tenant, name: string): Promise<PeriodStatement> {
  const period = periodOf(name)
  if (!period) throw invalid('period', 'Must be a year, quarter or month, such as 2026, 2026-Q4 or 2026-12.')
  await requireStorefront(db(), tenant.storefrontId)
  return db().$transaction(
    async (sql) => {
      const sums = await balancesOf(sql, tenant)
      const since = await balanceSince(sql, tenant, period.until)
      const { posted, countOf } = await postedDuring(sql, tenant, period)
      const statements = sums
        .filter(({ account }) => account === 'merchant_balance')
        .map(({ currency, amount }) =>
          statementOf({
            currency,
            closing: (since.get(currency) ?? 0n) - amount,
            posted: posted.filter((each) => each.currency === currency),
            counts: countOf(currency),
          }),
        )
      const status = (await timeOf(sql, tenant)) >= period.until ? 'final' : 'provisional'
      return { period, status, statements }
    },
    { isolationLevel: 'RepeatableRead', timeout: 120_000 },
  )
}

/** Returns a table of signed decimal strings. Each row states its effect on the balance. */
export async function statementRows(tenant: Tenant, name: string) {
  const { period, status, statements } = await statementFor(tenant, name)
  return statements.flatMap(({ currency, opening, lines, closing }) => {
    const money = (minor: bigint) => formatMoney({ minor, currency })
    const about = { period: period.name, status, currency }
    const nothing = { count: null, buyers: null, taxes: null, fees: null, payouts: null }
    return [
      { ...about, item: 'opening', ...nothing, balance: money(opening) },
      ...lines.map(({ kind, count, buyers, taxes, fees, payouts, balance }) => ({
        ...about,
        item: kind,
        count,
        buyers: money(buyers),
        taxes: money(taxes),
        fees: money(fees),
        payouts: money(payouts),
        balance: money(balance),
      })),
      { ...about, item: 'closing', ...nothing, balance: money(closing) },
    ]
  })
}

export async function statementCsv(tenant: Tenant, name: string): Promise<string> {
  return csvTable(await statementRows(tenant, name), [
    'period',
    'status',
    'currency',
    'item',
    'count',
    'buyers',
    'taxes',
    'fees',
    'payouts',
    'balance',
  ])
}
