import type { Period } from '../../kernel/calendar-period.ts'
import { csvLine, csvTable } from '../../kernel/csv.ts'
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

/** The last rows, one for each currency, contain the sums of the other rows and the tax in the ledger. */
export async function merchantReportCsv(tenant: Tenant, period: Period): Promise<string> {
  const { rows, totals, isFinal } = await merchantReportOf(tenant, period)
  const figures = (currency: Currency, of: Pick<ReportRow, 'sales' | 'credited'>) => {
    const money = (minor: bigint) => formatMoney({ minor, currency })
    const side = (name: 'sales' | 'credit' | 'total', { documents, net, tax }: ReportSum) => ({
      [`${name}Documents`]: documents,
      [`${name}Net`]: money(net),
      [`${name}Tax`]: money(tax),
      [`${name}Gross`]: money(net + tax),
    })
    return { ...side('sales', of.sales), ...side('credit', of.credited), ...side('total', leftOfRow(of)) }
  }
  const status = isFinal ? 'final' : 'provisional'
  return csvTable([
    ...rows.map((row) => ({
      period: period.name,
      status,
      country: row.country,
      taxName: namesOf(row.rates),
      rate: percentagesOf(row.rates),
      reverseCharge: row.kind === 'reverse_charge' ? 'yes' : 'no',
      currency: row.currency,
      ...figures(row.currency, row),
      ledgerTax: null,
    })),
    ...totals.map((total) => ({
      period: period.name,
      status,
      country: 'all',
      taxName: null,
      rate: null,
      reverseCharge: null,
      currency: total.currency,
      ...figures(total.currency, total),
      ledgerTax: formatMoney({ minor: total.ledgerTax, currency: total.currency }),
    })),
  ])
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
  yield csvLine(documentColumns)
  for (;;) {
    yield page.map((each) => csvLine(cellsOf(each))).join('')
    const last = page.at(-1)
    if (!last || page.length < documentsAtOnce) return
    page = await pageAfter(last)
  }
}

const documentColumns = [
  ...['date', 'number', 'kind', 'creditedNumber', 'replacedNumber', 'orderId', 'customerId', 'name', 'company'],
  ...['country', 'taxId', 'reverseCharge', 'currency', 'net', 'taxName', 'rate', 'tax', 'gross', 'exchangeRate'],
]

function cellsOf(of: IssuedDocument) {
  const { isCreditNote, currency, taxes } = of
  const money = (minor: bigint) => formatMoney({ minor: isCreditNote ? -minor : minor, currency })
  const rates = taxes.map(({ rate }) => rate)
  return [
    ...[of.issuedAt.toISOString().slice(0, 10), of.number, isCreditNote ? 'credit note' : 'invoice'],
    ...[of.creditedNumber, of.replacedNumber, of.id, of.customerId, of.name, of.company, of.country, of.taxId],
    ...[isReverseCharge(taxes) ? 'yes' : 'no', currency, money(of.net), namesOf(rates), percentagesOf(rates)],
    ...[money(sum(taxes.map(({ amount }) => amount))), money(of.total), of.exchangeRate],
  ]
}
