import { type Currency, sum, toEuros } from '../../../kernel/money.ts'
import type { TaxAmount } from './arithmetic.ts'
import { isInEuVatArea } from './eu.ts'
import { isOutsideScope } from './live-mode-tax.ts'
import { placeOfSupply, vatCountry } from './place-of-supply.ts'
import type { TaxRate } from './rates.ts'
import { isInForce, type Registration } from './registration.ts'
import { isReverseCharge } from './reverse-charge.ts'
import { canonicalTaxId } from './vat-id.ts'

/** Amounts are in minor units and never negative. */
export interface TaxDocument {
  /** The UTC day of the payment or of the credit note, such as `2026-12-31`. */
  readonly day: string
  /** `soldOn` is set for a credit note: the day of the credited sale. */
  readonly soldOn: string | null
  /** `suppliedOn` is set for a replacing invoice: the day of the original sale. */
  readonly suppliedOn?: string | null
  readonly sellerCountry: string
  readonly buyerCountry: string
  readonly postalCode: string | null
  readonly taxId: string | null
  readonly currency: Currency
  readonly exchangeRate: string | null
  readonly subtotal: bigint
  readonly taxes: readonly TaxAmount[]
}

/** `oss`: declared to the One Stop Shop. `local`: declared to the country of the buyer. */
export type Declaration = 'domestic' | 'oss' | 'local' | 'reverse_charge' | 'outside_scope'

type Supply = Pick<TaxDocument, 'sellerCountry' | 'buyerCountry' | 'postalCode'> & {
  readonly taxes: readonly { readonly rate: TaxRate }[]
}

export function supplyOf({ sellerCountry, buyerCountry, postalCode, taxes }: Supply): {
  kind: 'domestic' | 'abroad' | 'reverse_charge' | 'outside_scope'
  country: string
  isInEu: boolean
} {
  const place = placeOfSupply(buyerCountry, postalCode)
  const country = vatCountry(place.country ?? buyerCountry)
  const at = { country, isInEu: place.area === 'eu' }
  if (isReverseCharge(taxes)) return { kind: 'reverse_charge', ...at }
  if (isOutsideScope(taxes)) return { kind: 'outside_scope', ...at }
  return { kind: country === vatCountry(sellerCountry) ? 'domestic' : 'abroad', ...at }
}

/**
 * A sale to another member state is declared to the One Stop Shop (Directive 2006/112/EC, art. 369b), unless the seller is registered in that member state. A
 * credit note is declared like its sale.
 */
export function declarationOf(
  document: Omit<TaxDocument, 'exchangeRate' | 'subtotal' | 'currency'>,
  registrations: readonly Registration[],
): { declaration: Declaration; country: string } {
  const { kind, country, isInEu } = supplyOf(document)
  if (kind !== 'abroad') return { declaration: kind, country }
  if (!isInEu) return { declaration: 'local', country }
  const day = document.soldOn ?? document.day
  const isLocal = registrations.some(
    (each) => each.country === country && each.scheme === 'local' && isInForce(each, day),
  )
  return { declaration: isLocal ? 'local' : 'oss', country }
}

export interface TotalRow {
  readonly declaration: Declaration
  readonly country: string
  readonly tax: string
  readonly rate: string
  readonly currency: Currency
  readonly documents: number
  /** Sales less credit notes, in minor units. */
  readonly taxable: bigint
  readonly taxAmount: bigint
}

export function totalsOf(documents: Iterable<TaxDocument>, registrations: readonly Registration[]): TotalRow[] {
  const rows = new Map<string, TotalRow>()
  for (const document of documents) {
    const { declaration, country } = declarationOf(document, registrations)
    const sign = document.soldOn === null ? 1n : -1n
    for (const { rate, amount } of document.taxes) {
      const about = { declaration, country, tax: rate.name, rate: rate.percentage, currency: document.currency }
      const key = Object.values(about).join('|')
      const { documents: known, taxable, taxAmount } = rows.get(key) ?? { documents: 0, taxable: 0n, taxAmount: 0n }
      const sums = { taxable: taxable + sign * document.subtotal, taxAmount: taxAmount + sign * amount }
      rows.set(key, { ...about, documents: known + 1, ...sums })
    }
  }
  return sortedByKey(rows)
}

/** Returns the units of a currency for one euro on the last day of a quarter such as `2026-Q4`. */
export type RateAtEnd = (currency: Currency, quarter: string) => string

export interface OssRow {
  /** `correction`: the row corrects a quarter that was already declared. `too_late`: the correction period of the quarter has ended. */
  readonly record: 'supply' | 'correction' | 'too_late'
  readonly quarter: string
  readonly country: string
  readonly rate: string | null
  /** `taxable` is in EUR cents; null for a correction. */
  readonly taxable: bigint | null
  readonly taxAmount: bigint
}

/** Corrections are accepted for three years (Directive 2006/112/EC, art. 369g(4)). */
const quartersOfCorrection = 12

/**
 * Returns supplies by country and rate (Directive 2006/112/EC, art. 369g(1)), and corrections by quarter and country (369g(4)), in EUR cents. Sums the amounts
 * of each currency first. Then converts each sum at the rate on the last day of the quarter (art. 369h), rounded half away from zero.
 */
export function ossReturn(
  documents: Iterable<TaxDocument>,
  quarter: string,
  { registrations, rateAtEnd }: { registrations: readonly Registration[]; rateAtEnd: RateAtEnd },
): OssRow[] {
  const sums = new Map<string, { row: OssRow; currency: Currency; taxable: bigint; taxAmount: bigint }>()
  for (const document of documents) {
    const { declaration, country } = declarationOf(document, registrations)
    if (declaration !== 'oss') continue
    const of = quarterOf(document.soldOn ?? document.day)
    const sign = document.soldOn === null ? 1n : -1n
    for (const { rate, amount } of document.taxes) {
      const row = rowOf({ of, quarter, country, rate: rate.percentage })
      const key = [row.record, row.quarter, row.country, row.rate, document.currency].join('|')
      const known = sums.get(key) ?? { row, currency: document.currency, taxable: 0n, taxAmount: 0n }
      known.taxable += sign * document.subtotal
      known.taxAmount += sign * amount
      sums.set(key, known)
    }
  }
  const rows = new Map<string, OssRow>()
  for (const { row, currency, taxable, taxAmount } of sums.values()) {
    const inEuros = (minor: bigint) => toEuros(minor, rateAtEnd(currency, row.quarter))
    const key = [row.record, row.quarter, row.country, row.rate].join('|')
    const known = rows.get(key) ?? row
    rows.set(key, {
      ...row,
      taxable: row.taxable === null ? null : (known.taxable ?? 0n) + inEuros(taxable),
      taxAmount: known.taxAmount + inEuros(taxAmount),
    })
  }
  return sortedByKey(rows)
}

function rowOf({ of, quarter, country, rate }: { of: string; quarter: string; country: string; rate: string }): OssRow {
  if (of === quarter) return { record: 'supply', quarter, country, rate, taxable: 0n, taxAmount: 0n }
  const record = quartersBetween(of, quarter) <= quartersOfCorrection ? 'correction' : 'too_late'
  return { record, quarter: of, country, rate: null, taxable: null, taxAmount: 0n }
}

export interface SalesListRow {
  /** `period` is earlier than the period of the list if a replacing invoice changed an earlier sale to a reverse charge (art. 264(2)). */
  readonly period: string
  readonly taxId: string
  /** `supplied` is in EUR cents, less credit notes. */
  readonly supplied: bigint
}

/**
 * Returns the EC sales list (Directive 2006/112/EC, art. 262(1)(c)) of a period such as `2026-Q4`, `2026-12`, or `2026`: one row for each VAT ID of a customer.
 * Each document is converted at the exchange rate of its sale (art. 91(2)). A replacing invoice counts in the period of the original sale.
 * Excludes sums of zero. Excludes customers outside the EU, for example in the United Kingdom, because the list covers only the EU.
 */
export function salesListOf(
  documents: Iterable<TaxDocument>,
  period: string,
  registrations: readonly Registration[],
): SalesListRow[] {
  const rows = new Map<string, SalesListRow>()
  for (const document of documents) {
    const { declaration, country } = declarationOf(document, registrations)
    if (declaration !== 'reverse_charge' || document.taxId === null || !isInEuVatArea(country)) continue
    const taxId = canonicalTaxId(document.taxId)
    const sign = document.soldOn === null ? 1n : -1n
    const of = periodLike(period, document.suppliedOn ?? document.day)
    const key = `${taxId}|${of}`
    const supplied = (rows.get(key)?.supplied ?? 0n) + sign * toEuros(document.subtotal, document.exchangeRate ?? '1')
    rows.set(key, { period: of, taxId, supplied })
  }
  return sortedByKey(rows).filter(({ supplied }) => supplied !== 0n)
}

const periodLike = (period: string, day: string): string =>
  period.includes('Q') ? quarterOf(day) : day.slice(0, period.length)

/**
 * Returns the tax in minor units. In the period of the rows, the ledger account `tax_payable` must grow by the same
 * amounts.
 */
export const taxByCurrency = (rows: readonly TotalRow[]): Map<Currency, bigint> =>
  new Map(
    [...new Set(rows.map(({ currency }) => currency))].map((currency) => [
      currency,
      sum(rows.filter((row) => row.currency === currency).map(({ taxAmount }) => taxAmount)),
    ]),
  )

export const quarterOf = (day: string): string => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

const quartersBetween = (earlier: string, later: string): number => index(later) - index(earlier)
const index = (quarter: string): number => Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6))

const sortedByKey = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
