import type { Period } from '../../kernel/calendar-period.ts'
import { type Columns, csvHeader, csvRows } from '../../kernel/csv.ts'
import { type Currency, currencies } from '../../kernel/currencies.ts'
import { formatMoney, sum } from '../../kernel/money.ts'
import { taxPosted } from '../../modules/ledger/store.ts'
import { type IssuedDocument, issuedDocuments, taxSums } from '../../modules/orders/tax-documents.ts'
import {
  isReverseCharge,
  leftOfRow,
  merchantReport,
  type ReportRow,
  type ReportSum,
  reportTotals,
  type TaxRate,
} from '../../modules/tax/rules/index.ts'
import { type Tenant, now as timeOf } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { reader } from '../../platform/db/replica.ts'

interface ReportTotal extends Pick<ReportRow, 'sales' | 'credited'> {
  readonly currency: Currency
  /** The tax in the ledger, in minor units. It must equal the tax of the documents. */
  readonly ledgerTax: bigint
}

/** The sales of the service on behalf of a merchant in a period, by country and rate. */
export interface MerchantReport {
  readonly rows: readonly ReportRow[]
  readonly totals: readonly ReportTotal[]
  readonly isFinal: boolean
}

/** Reads documents and ledger from one snapshot. */
export const merchantReportOf = (tenant: Tenant, period: Period): Promise<MerchantReport> =>
  db().$transaction(
    async (sql) => {
      const rows = merchantReport(await taxSums(sql, tenant, period))
      const posted = await taxPosted(sql, tenant, period)
      const totals = reportTotals(rows)
      const nothing = { documents: 0, net: 0n, tax: 0n }
      return {
        rows,
        totals: currencies
          .filter((each) => posted.has(each) || totals.some(({ currency }) => currency === each))
          .map((currency) => ({
            sales: nothing,
            credited: nothing,
            ...totals.find((each) => each.currency === currency),
            currency,
            ledgerTax: posted.get(currency) ?? 0n,
          })),
        isFinal: (await timeOf(sql, tenant)) >= period.until,
      }
    },
    { isolationLevel: 'RepeatableRead', timeout: 60_000 },
  )

const namesOf = (rates: readonly TaxRate[]) => rates.map(({ name }) => name).join(' + ')
const percentagesOf = (rates: readonly TaxRate[]) => rates.map(({ percentage }) => percentage).join(' + ')

/** A row of the report, or the totals of a currency. */
interface ReportLine extends Pick<ReportRow, 'sales' | 'credited' | 'currency'> {
  readonly period: string
  readonly isFinal: boolean
  readonly row: ReportRow | null
  readonly ledgerTax: bigint | null
}

const sumColumns = (
  name: 'sales' | 'credit' | 'total',
  sumOf: (line: ReportLine) => ReportSum,
): Columns<ReportLine> => ({
  [`${name}Documents`]: (line) => sumOf(line).documents,
  [`${name}Net`]: (line) => formatMoney({ minor: sumOf(line).net, currency: line.currency }),
  [`${name}Tax`]: (line) => formatMoney({ minor: sumOf(line).tax, currency: line.currency }),
  [`${name}Gross`]: (line) => formatMoney({ minor: sumOf(line).net + sumOf(line).tax, currency: line.currency }),
})

const reportColumns: Columns<ReportLine> = {
  period: ({ period }) => period,
  status: ({ isFinal }) => (isFinal ? 'final' : 'provisional'),
  country: ({ row }) => (row ? row.country : 'all'),
  taxName: ({ row }) => row && namesOf(row.rates),
  rate: ({ row }) => row && percentagesOf(row.rates),
  reverseCharge: ({ row }) => row && (row.kind === 'reverse_charge' ? 'yes' : 'no'),
  currency: ({ currency }) => currency,
  ...sumColumns('sales', ({ sales }) => sales),
  ...sumColumns('credit', ({ credited }) => credited),
  ...sumColumns('total', leftOfRow),
  ledgerTax: ({ ledgerTax, currency }) => (ledgerTax === null ? null : formatMoney({ minor: ledgerTax, currency })),
}

/**
 * Returns the report as CSV. The last rows, one for each currency, contain the sums of the other rows and the tax in
 * the ledger.
 */
export async function merchantReportCsv(tenant: Tenant, period: Period): Promise<string> {
  const { rows, totals, isFinal } = await merchantReportOf(tenant, period)
  const about = { period: period.name, isFinal }
  const lines: ReportLine[] = [
    ...rows.map((row) => ({ ...about, ...row, row, ledgerTax: null })),
    ...totals.map((total) => ({ ...about, ...total, row: null })),
  ]
  return csvHeader(reportColumns) + csvRows(lines, reportColumns)
}

const documentsAtOnce = 500

/**
 * Yields one page at a time. Amounts of credit notes are negative, so that the columns add up to the amounts in the report. The first page is read before the
 * header is yielded, so that the caller learns of a database failure before the download begins.
 */
export async function* documentsCsv(tenant: Tenant, period: Period): AsyncGenerator<string> {
  const pageAfter = (after: IssuedDocument | null) =>
    issuedDocuments(reader(), tenant, period, { after, limit: documentsAtOnce })
  let page = await pageAfter(null)
  yield csvHeader(documentColumns)
  for (;;) {
    yield csvRows(page, documentColumns)
    const last = page.at(-1)
    if (!last || page.length < documentsAtOnce) return
    page = await pageAfter(last)
  }
}

const signed = ({ isCreditNote, currency }: IssuedDocument, minor: bigint) =>
  formatMoney({ minor: isCreditNote ? -minor : minor, currency })
const ratesOf = ({ taxes }: IssuedDocument) => taxes.map(({ rate }) => rate)

const documentColumns: Columns<IssuedDocument> = {
  date: ({ issuedAt }) => issuedAt.toISOString().slice(0, 10),
  number: ({ number }) => number,
  kind: ({ isCreditNote }) => (isCreditNote ? 'credit note' : 'invoice'),
  creditedNumber: ({ creditedNumber }) => creditedNumber,
  replacedNumber: ({ replacedNumber }) => replacedNumber,
  orderId: ({ id }) => id,
  customerId: ({ customerId }) => customerId,
  name: ({ name }) => name,
  company: ({ company }) => company,
  country: ({ country }) => country,
  taxId: ({ taxId }) => taxId,
  reverseCharge: ({ taxes }) => (isReverseCharge(taxes) ? 'yes' : 'no'),
  currency: ({ currency }) => currency,
  net: (of) => signed(of, of.net),
  taxName: (of) => namesOf(ratesOf(of)),
  rate: (of) => percentagesOf(ratesOf(of)),
  tax: (of) => signed(of, sum(of.taxes.map(({ amount }) => amount))),
  gross: (of) => signed(of, of.total),
  exchangeRate: ({ exchangeRate }) => exchangeRate,
}
