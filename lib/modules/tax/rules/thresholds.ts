import { type Currency, toEuros } from '../../../kernel/money.ts'
import { isInEuVatArea } from './eu.ts'
import { vatCountry } from './place-of-supply.ts'
import type { TaxRate } from './rates.ts'
import { supplyOf, type TaxDocument } from './returns.ts'

export interface Threshold {
  /** `country` is an ISO 3166-1 alpha-2 code, or `EU` for all member states except the seller's. */
  readonly country: string
  /** `amount` is in minor units of `currency`, without tax. If it is 0, the first sale requires a registration. */
  readonly amount: bigint
  readonly currency: Currency
  readonly counts: 'sales_there' | 'worldwide'
  readonly within: 'calendar_year' | 'twelve_months'
  readonly seller?: 'in_eu' | 'outside_eu'
  readonly since: string
  readonly law: ThresholdLaw
}

/** Articles of the VAT directive (2006/112/EC), or the title of a national law with its articles. */
export type ThresholdLaw = { readonly vatDirective: readonly string[] } | { readonly national: string }

export const lawInEnglish = (law: ThresholdLaw): string =>
  'national' in law ? law.national : `Directive 2006/112/EC, art. ${law.vatDirective.join(' and ')}`

/** The thresholds are for software and electronic services. A country without an entry has no threshold, or its threshold is unknown. */
export const thresholds: readonly Threshold[] = [
  {
    // The seller may charge the tax of its own country if its sales to other member states exceed this threshold
    // neither this year nor in the previous year.
    country: 'EU',
    amount: 1_000_000n,
    currency: 'EUR',
    counts: 'sales_there',
    within: 'calendar_year',
    since: '2021-07-01',
    law: { vatDirective: ['59c(1)'] },
    seller: 'in_eu',
  },
  {
    // The first sale requires a registration, because art. 59c of Directive 2006/112/EC applies only to sellers that are established in one member state.
    country: 'EU',
    amount: 0n,
    currency: 'EUR',
    counts: 'sales_there',
    within: 'calendar_year',
    since: '2015-01-01',
    law: { vatDirective: ['58', '359'] },
    seller: 'outside_eu',
  },
  {
    // Any supply requires a registration, whatever its value (HMRC, VAT Registration Manual, VATREG37050).
    country: 'GB',
    amount: 0n,
    currency: 'GBP',
    counts: 'sales_there',
    within: 'calendar_year',
    since: '2012-12-01',
    law: { national: 'Value Added Tax Act 1994, schedule 1A' },
  },
  {
    // The exemption of foreign sellers in art. 10(2)(b)(2) of the Swiss VAT act does not cover electronic services to recipients who are not taxable.
    country: 'CH',
    amount: 10_000_000n,
    currency: 'CHF',
    counts: 'worldwide',
    within: 'calendar_year',
    since: '2018-01-01',
    law: { national: 'Mehrwertsteuergesetz (SR 641.20), art. 10(2)(a)' },
  },
  {
    country: 'NO',
    amount: 5_000_000n,
    currency: 'NOK',
    counts: 'sales_there',
    within: 'twelve_months',
    since: '2011-07-01',
    law: { national: 'Merverdiavgiftsloven § 2-1(1) and (3)' },
  },
  {
    country: 'CA',
    amount: 3_000_000n,
    currency: 'CAD',
    counts: 'sales_there',
    within: 'twelve_months',
    since: '2021-07-01',
    law: { national: 'Excise Tax Act, s. 211.12' },
  },
]

export interface SalesSum
  extends Pick<TaxDocument, 'sellerCountry' | 'buyerCountry' | 'postalCode' | 'currency' | 'exchangeRate'> {
  readonly isCredited: boolean
  readonly isConfirmed: boolean
  readonly taxes: readonly { readonly rate: TaxRate }[]
  /** `subtotal` is in minor units, without tax, and not negative. */
  readonly subtotal: bigint
}

export interface ThresholdRow {
  readonly country: string
  readonly sold: bigint
  /** Sales that count toward the threshold, in EUR cents without tax. */
  readonly counted: bigint
  readonly threshold: Threshold | null
}

/**
 * Returns one row for all member states together, and one row per country outside the EU. Each threshold that applies
 * to the seller has a row, even without sales. In the EU, this service charges the rate of the consumer's country from
 * the first sale, which art. 59c(3) of the Directive permits.
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

const nearFrom = 80n

export const standings = ['reached', 'near', 'below', 'unknown', 'registered', 'unsold'] as const

/** `unsold`: consumers bought nothing, or returned everything. `unknown`: no threshold is known. */
export type Standing = (typeof standings)[number]

export function standingOf({ sold, threshold }: ThresholdRow, percent: bigint | null, isRegistered: boolean): Standing {
  if (isRegistered) return 'registered'
  if (sold <= 0n) return 'unsold'
  if (threshold === null || percent === null) return 'unknown'
  if (percent >= 100n) return 'reached'
  return percent >= nearFrom ? 'near' : 'below'
}

/**
 * Returns the sales as a whole percentage of the threshold. For a threshold of zero, returns 100 after the first sale and 0 before. `rate` is in units of the
 * threshold's currency for one euro.
 */
export function percentOf({ amount }: Threshold, counted: bigint, rate: string): bigint {
  if (amount === 0n) return counted > 0n ? 100n : 0n
  return (counted * 100n) / toEuros(amount, rate)
}
