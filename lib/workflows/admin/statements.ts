import { periodOf } from '../../kernel/calendar-period.ts'
import { amount } from '../../kernel/money.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import type { StatementPage } from '../../modules/ledger/page.ts'
import { statementCsv, statementFor } from '../../modules/ledger/statement.ts'
import { db } from '../../platform/db/db.ts'
import { accessTo, type Place } from './access.ts'

/** What a storefront sold, got back, paid and was paid in a month; null for an unknown one. */
export async function statementPage(
  place: Place,
  month: string,
  cookies: string | null,
): Promise<StatementPage | null> {
  const access = await accessTo(place, 'balance.read', cookies)
  if (!access || !periodOf(month)) return null
  const { status, statements } = await statementFor(access.tenant, month)
  return {
    period: month,
    isFinal: status === 'final',
    storefrontName: access.storefront.name,
    statements: statements.map(({ currency, opening, lines, closing }) => {
      const money = (minor: bigint) => amount(minor, currency)
      const sums = lines.map(({ kind, count, buyers, taxes, fees, balance }) => ({
        ...{ kind, count, buyers: money(buyers), taxes: money(taxes), fees: money(fees), balance: money(balance) },
      }))
      return { currency, opening: money(opening), lines: sums, closing: money(closing) }
    }),
    ...(access.may('sales.export') && { exportUrl: `${access.path}/export/statements/${month}` }),
  }
}

/** The same as CSV. It is written to the audit log. Null for an unknown month, and for a person who may not. */
export async function exportStatement(
  place: Place,
  month: string,
  cookies: string | null,
): Promise<{ fileName: string; parts: AsyncGenerator<string> } | null> {
  const access = await accessTo(place, 'sales.export', cookies)
  if (!access?.may('balance.read') || !periodOf(month)) return null
  const { tenant, actor, storefront, mode } = access
  const csv = await statementCsv(tenant, month)
  await db().$transaction((sql) =>
    writeAudit(sql, actor, {
      action: 'export.statement',
      subject: storefront.id,
      before: null,
      after: { mode, month },
    }),
  )
  return { fileName: `${storefront.id}-${mode}-statement-${month}.csv`, parts: only(csv) }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}
