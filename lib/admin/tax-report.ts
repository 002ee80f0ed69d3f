import { lastDayOfRange, monthsFrom, type Period, quartersOf, rangeOf } from '../kernel/calendar-period.ts'
import { byteOrderMark, withByteOrderMark } from '../kernel/csv.ts'
import type { Currency } from '../kernel/currencies.ts'
import { amount } from '../kernel/money.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { firstPostingAt } from '../modules/ledger/store.ts'
import { sellerView } from '../modules/orders/seller-view.ts'
import type { ReportFigures, TaxReportPage } from '../modules/tax/page.ts'
import { leftOfRow, type ReportSum } from '../modules/tax/rules/index.ts'
import { now as timeOf } from '../platform/clock/clock.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { inTurn } from '../platform/db/turn.ts'
import { documentsCsv, merchantReportCsv, merchantReportOf } from '../workflows/tax-returns/merchant-report.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import type { CsvFile } from './export.ts'
import type { Next } from './form-state.ts'
import type { ListParameters } from './list.ts'
import type { StorefrontForm } from './permissions.ts'

/** The menu of months goes back 24 months. A custom period can begin earlier. */
const mostMonths = 24

/**
 * The lease of a running report, in milliseconds. The lease must be longer than the longest transaction of a report. If a process is killed, the
 * merchant cannot run another report until the lease ends.
 */
const mostTurnMs = 90_000

/**
 * Runs one report per merchant at a time, because a report reads all documents of its period in one transaction.
 * Returns null while another report of the merchant runs.
 */
const inTurnOf = <Result>({ storefront }: Access, work: () => Promise<Result>): Promise<Result | null> =>
  inTurn(`tax report ${storefront.merchant.id}`, mostTurnMs, work)

const lists = ['orders', 'refunds', 'chargebacks', 'payouts', 'balance'] as const

/** Sales and credit notes by country and tax rate, for a month, a quarter, or a custom period. The default is the current quarter. */
export async function taxReportPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<TaxReportPage | null> {
  const access = await accessTo(place, 'tax-report', cookies)
  if (!access) return null
  const { tenant, path } = access
  const now = await timeOf(db(), tenant)
  const first = (await firstPostingAt(db(), tenant)) ?? now
  const months = monthsFrom(first, now, mostMonths)
  const quarters = quartersOf(months)
  const { period: name = null, from = null, to = null, refused = null } = parameters
  const asked = rangeOf(name ?? (from === null && to === null ? (quarters[0] ?? '') : `${from}--${to}`))
  const period = asked ?? (rangeOf(quarters[0] ?? '') as Period)
  const report = refused === null ? await inTurnOf(access, () => merchantReportOf(tenant, period)) : null
  const { rows, totals, isFinal } = report ?? { rows: [], totals: [], isFinal: now >= period.until }
  const link = (each: string) => ({ name: each, url: `${path}/tax-report?period=${each}` })
  const [firstDay, lastDay] = [period.from.toISOString().slice(0, 10), lastDayOfRange(period)]
  return {
    seller: sellerView(config().seller).name,
    period: period.name,
    from: firstDay,
    to: lastDay,
    isFinal,
    againUrl: report ? null : link(period.name).url,
    problem: asked ? null : 'range',
    quarters: quarters.map(link),
    months: months.map(link),
    rows: rows.map((row) => ({
      kind: row.kind,
      country: row.country,
      rates: row.rates,
      currency: row.currency,
      sales: figures(row.sales, row.currency),
      credited: figures(row.credited, row.currency),
      total: figures(leftOfRow(row), row.currency),
    })),
    totals: totals.map(({ currency, ledgerTax, ...sums }) => ({
      currency,
      total: figures(leftOfRow(sums), currency),
      ledgerTax: amount(ledgerTax, currency),
      isEqual: leftOfRow(sums).tax === ledgerTax,
    })),
    statements: monthsFrom(period.from, new Date(period.until.getTime() - 1), mostMonths)
      .filter((month) => months.includes(month))
      .map((month) => ({ month, url: `${path}/balance/statements/${month}` })),
    exports: access.mayDo('export.tax_report')
      ? {
          report: `${path}/export/tax-report/${period.name}`,
          documents: `${path}/export/tax-documents/${period.name}`,
          lists: lists
            .filter((list) => access.mayExport(list))
            .map((list) => ({ list, url: `${path}/export/${list}?from=${firstDay}&to=${lastDay}` })),
        }
      : null,
  }
}

const figures = ({ documents, net, tax }: ReportSum, currency: Currency): ReportFigures => ({
  documents,
  net: amount(net, currency),
  tax: amount(tax, currency),
  gross: amount(net + tax, currency),
})

/**
 * Returns the tax report as CSV, and records the export in the audit log. While another report of the merchant runs, returns the URL of the report page.
 * Returns null if the period is unknown or the reader has no permission.
 */
export async function exportTaxReport(
  place: StorefrontPath,
  name: string,
  cookies: string | null,
): Promise<CsvFile | Next | null> {
  const found = await exporterOf(place, 'export/tax-report/[period]', name, cookies)
  if (!found) return null
  const { access, period } = found
  const csv = await inTurnOf(access, () => merchantReportCsv(access.tenant, period))
  if (csv === null) return { redirectTo: `${access.path}/tax-report?period=${period.name}&refused=busy` }
  return fileOf(found, 'export.tax_report', 'tax-report', only(byteOrderMark + csv))
}

export async function exportTaxDocuments(
  place: StorefrontPath,
  name: string,
  cookies: string | null,
): Promise<CsvFile | null> {
  const found = await exporterOf(place, 'export/tax-documents/[period]', name, cookies)
  if (!found) return null
  const parts = withByteOrderMark(documentsCsv(found.access.tenant, found.period))
  return fileOf(found, 'export.tax_documents', 'tax-documents', parts)
}

interface Found {
  readonly access: Access
  readonly period: Period
}

async function exporterOf(
  place: StorefrontPath,
  form: StorefrontForm,
  name: string,
  cookies: string | null,
): Promise<Found | null> {
  const access = await accessToForm(place, form, null, cookies)
  const period = rangeOf(name)
  return access && period && { access, period }
}

async function fileOf(
  { access: { actor, storefront, mode }, period }: Found,
  action: 'export.tax_report' | 'export.tax_documents',
  name: string,
  parts: AsyncGenerator<string>,
): Promise<CsvFile> {
  await db().$transaction((sql) =>
    writeAudit(sql, actor, { action, subject: storefront.id, before: null, after: { mode, period: period.name } }),
  )
  return { fileName: `${storefront.id}-${mode}-${name}-${period.name}.csv`, parts }
}

async function* only(content: string): AsyncGenerator<string> {
  yield content
}
