import { type Currency, toEuros } from '../../../kernel/money.ts'
import { isInEuVatArea } from './eu.ts'
import type { TaxRate } from './rates.ts'
import { supplyOf, type TaxDocument } from './returns.ts'
import { vatCountry } from './territories.ts'

export interface Threshold {
  /** A country (ISO 3166-1 alpha-2), or `EU` for all member states except the seller's. */
  readonly country: string
  /** Minor units of `currency`, without tax. With 0 the first sale needs a registration. */
  readonly amount: bigint
  readonly currency: Currency
  readonly counts: 'sales_there' | 'worldwide'
  /** Within a calendar year, or within any twelve months. */
  readonly within: 'calendar_year' | 'twelve_months'
  readonly seller?: 'in_eu' | 'outside_eu'
  readonly since: string
  readonly law: string
}

/**
 * For software and electronic services. A missing country has an unknown threshold, or none. To add one, add its line
 * with the law that sets it.
 */
export const thresholds: readonly Threshold[] = [
  {
    country: 'EU',
    amount: 1_000_000n,
    currency: 'EUR',
    counts: 'sales_there',
    within: 'calendar_year',
    // Below this amount, in this year and the last, a seller may tax consumers in all member states as at home.
    since: '2021-07-01',
    law: 'Directive 2006/112/EC, art. 59c(1)',
    seller: 'in_eu',
  },
  {
    country: 'EU',
    amount: 0n,
    currency: 'EUR',
    counts: 'sales_there',
    within: 'calendar_year',
    // Art. 59c is for sellers established in only one member state.
    since: '2015-01-01',
    law: 'Directive 2006/112/EC, art. 58 and 359',
    seller: 'outside_eu',
  },
  {
    // HMRC, VAT Registration Manual, VATREG37050: taxable supplies of any value.
    country: 'GB',
    amount: 0n,
    currency: 'GBP',
    counts: 'sales_there',
    within: 'calendar_year',
    since: '2012-12-01',
    law: 'Value Added Tax Act 1994, schedule 1A',
  },
  {
    // Art. 10(2)(b)(2) has no relief for electronic services to persons who are not taxable.
    country: 'CH',
    amount: 10_000_000n,
    currency: 'CHF',
    counts: 'worldwide',
    within: 'calendar_year',
    since: '2018-01-01',
    law: 'Mehrwertsteuergesetz (SR 641.20), art. 10(2)(a)',
  },
  {
    country: 'NO',
    amount: 5_000_000n,
    currency: 'NOK',
    counts: 'sales_there',
    within: 'twelve_months',
    since: '2011-07-01',
    law: 'Merverdiavgiftsloven § 2-1(1) and (3)',
  },
  {
    country: 'CA',
    amount: 3_000_000n,
    currency: 'CAD',
    counts: 'sales_there',
    within: 'twelve_months',
    since: '2021-07-01',
    law: 'Excise Tax Act, s. 211.12',
  },
]

export interface SalesSum
  extends Pick<TaxDocument, 'sellerCountry' | 'buyerCountry' | 'postalCode' | 'currency' | 'exchangeRate'> {
  readonly isCredited: boolean
  /** A buyer with a confirmed tax ID is a company. */
  readonly isConfirmed: boolean
  readonly taxes: readonly { readonly rate: TaxRate }[]
  /** Minor units without tax, not negative. */
  readonly subtotal: bigint
}

export interface ThresholdRow {
  readonly country: string
  /** Less credit notes: EUR cents without tax, at the rates of the sales. */
  readonly sold: bigint
  /** The sales that count towards the threshold, in the same unit. */
  readonly counted: bigint
  /** Null if no threshold is known. */
  readonly threshold: Threshold | null
}

/**
 * For all member states together, and for each country outside the EU. Every known threshold is listed, even without
 * sales. In the EU this service charges the rate of the consumer's country from the first sale, which art. 59c(3) of
 * the Directive allows.
 */
export function thresholdsOf(sums: Iterable<SalesSum>, sellerCountry: string): ThresholdRow[] {
  const home = vatCountry(sellerCountry)
  const seller = isInEuVatArea(home) ? 'in_eu' : 'outside_eu'
  const ours = thresholds.filter((each) => each.country !== home && (each.seller ?? seller) === seller)
  const sales = new Map(ours.map(({ country }) => [country, 0n]))
  let worldwide = 0n
  for (const each of sums) {
    const inEuros = toEuros(each.subtotal, each.exchangeRate ?? '1')
    const sold = each.isCredited ? -inEuros : inEuros
    worldwide += sold
    const { kind, country, isInEu } = supplyOf(each)
    if (kind === 'domestic' || kind === 'reverse_charge' || each.isConfirmed) continue
    const at = isInEu ? 'EU' : country
    sales.set(at, (sales.get(at) ?? 0n) + sold)
  }
  return [...sales]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([country, sold]) => {
      const threshold = ours.find((each) => each.country === country) ?? null
      return { country, sold, counted: threshold?.counts === 'worldwide' ? worldwide : sold, threshold }
    })
}

/** In percent. */
const nearFrom = 80n

export const standings = ['reached', 'near', 'below', 'unknown', 'registered', 'unsold'] as const

/** `unsold`: consumers bought nothing, or returned all. `unknown`: the table has no threshold. */
export type Standing = (typeof standings)[number]

export function standingOf({ sold, threshold }: ThresholdRow, percent: bigint | null, isRegistered: boolean): Standing {
  if (isRegistered) return 'registered'
  if (sold <= 0n) return 'unsold'
  if (threshold === null || percent === null) return 'unknown'
  if (percent >= 100n) return 'reached'
  return percent >= nearFrom ? 'near' : 'below'
}

/** In whole percent. `rate`: units for one euro. A threshold of zero: 100 after the first sale, otherwise 0. */
export function percentOf({ amount }: Threshold, counted: bigint, rate: string): bigint {
  if (amount === 0n) return counted > 0n ? 100n : 0n
  return (counted * 100n) / toEuros(amount, rate)
}
