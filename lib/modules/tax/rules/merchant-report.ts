import type { Currency } from '../../../kernel/money.ts'
import type { TaxRate } from './rates.ts'
import { supplyOf } from './returns.ts'

/** The sums of documents with the same countries, currency, and rates. Amounts are in minor units. */
export interface TaxSum {
  readonly isCredited: boolean
  readonly sellerCountry: string
  readonly buyerCountry: string
  readonly postalCode: string | null
  readonly currency: Currency
  readonly rates: readonly TaxRate[]
  readonly documents: number
  readonly net: bigint
  readonly tax: bigint
}

export interface ReportSum {
  readonly documents: number
  readonly net: bigint
  readonly tax: bigint
}

export interface ReportRow {
  readonly kind: ReturnType<typeof supplyOf>['kind']
  readonly country: string
  /** `rates` has one rate, or two rates for a sale with two taxes in Canada. `tax` then sums the two taxes, so that net plus tax equals gross. */
  readonly rates: readonly TaxRate[]
  readonly currency: Currency
  readonly sales: ReportSum
  readonly credited: ReportSum
}

const nothing: ReportSum = { documents: 0, net: 0n, tax: 0n }

const added = (a: ReportSum, b: ReportSum): ReportSum => ({
  documents: a.documents + b.documents,
  net: a.net + b.net,
  tax: a.tax + b.tax,
})

export function merchantReport(sums: readonly TaxSum[]): ReportRow[] {
  const rows = new Map<string, ReportRow>()
  for (const sum of sums) {
    const { currency, rates, isCredited } = sum
    const { kind, country } = supplyOf({ ...sum, taxes: rates.map((rate) => ({ rate })) })
    const key = [currency, country, kind, ...rates.map(({ name, percentage }) => `${name} ${percentage}`)].join('|')
    const row = rows.get(key) ?? { kind, country, rates, currency, sales: nothing, credited: nothing }
    const side = isCredited ? 'credited' : 'sales'
    rows.set(key, { ...row, [side]: added(row[side], sum) })
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

export const leftOfRow = ({ sales, credited }: Pick<ReportRow, 'sales' | 'credited'>): ReportSum => ({
  documents: sales.documents + credited.documents,
  net: sales.net - credited.net,
  tax: sales.tax - credited.tax,
})

export function reportTotals(rows: readonly ReportRow[]): Pick<ReportRow, 'currency' | 'sales' | 'credited'>[] {
  const totals = new Map<Currency, Pick<ReportRow, 'currency' | 'sales' | 'credited'>>()
  for (const { currency, sales, credited } of rows) {
    const known = totals.get(currency) ?? { currency, sales: nothing, credited: nothing }
    totals.set(currency, { currency, sales: added(known.sales, sales), credited: added(known.credited, credited) })
  }
  return [...totals.values()]
}
