import { type Currency, toEuros } from '../../../kernel/money.ts'
import { isInEuVatArea } from './eu.ts'
import type { TaxRate } from './rates.ts'
import { supplyOf, type TaxDocument } from './returns.ts'
import { vatCountry } from './territories.ts'

/** The sales to consumers in a country above which a foreign seller must register. */
export interface Threshold {
  /** A country (ISO 3166-1 alpha-2), or `EU` for all member states except the seller's. */
  readonly country: string
  /** Minor units of `currency`, without tax. With 0 the first sale needs a registration. */
  readonly amount: bigint
  readonly currency: Currency
  /** Which sales count: those to consumers there, or all sales worldwide. */
  readonly counts: 'sales_there' | 'worldwide'
  /** Within a calendar year, or within any twelve months. */
  readonly within: 'calendar_year' | 'twelve_months'
  /** The kind of seller, if the threshold is not the same for all. */
  readonly seller?: 'in_eu' | 'outside_eu'
  /** The first day on which the threshold applies to such sales. */
  readonly since: string
  readonly law: string
}

/**
 * The known thresholds for software and electronic services. A country that is not in the table has an unknown
 * threshold, or none. To add one, add its line with the law that sets it.
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

/** The sum of invoices, or of credit notes, that are equal in all fields below. */
export interface SalesSum
  extends Pick<TaxDocument, 'sellerCountry' | 'buyerCountry' | 'postalCode' | 'currency' | 'exchangeRate'> {
  readonly isCredited: boolean
  /** Whether the registry confirmed the buyer's tax ID at the sale, so that the buyer is a company. */
  readonly isConfirmed: boolean
  readonly taxes: readonly { readonly rate: TaxRate }[]
  /** Minor units without tax, not negative. */
  readonly subtotal: bigint
}

export interface ThresholdRow {
  readonly country: string
  /** Sales to consumers there less credit notes: EUR cents without tax, at the rates of the sales. */
  readonly sold: bigint
  /** The sales that count towards the threshold, in the same unit. */
  readonly counted: bigint
  /** Null if no threshold is known. */
  readonly threshold: Threshold | null
}

/**
 * Sales to consumers in other countries: for all member states together, and for each country outside the EU. Every
 * known threshold is listed, even without sales. In the EU this service charges the rate of the consumer's country from
 * the first sale, which art. 59c(3) of the Directive allows.
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

/** The percentage from which a threshold is near. */
const nearFrom = 80n

export const standings = ['reached', 'near', 'below', 'unknown', 'registered', 'unsold'] as const

/**
 * Where a seller stands in a country. `registered`: whatever was sold. `unsold`: consumers there bought nothing, or
 * returned all, so that no registration is needed. `unknown`: the table has no threshold.
 */
export type Standing = (typeof standings)[number]

export function standingOf({ sold, threshold }: ThresholdRow, percent: bigint | null, isRegistered: boolean): Standing {
  if (isRegistered) return 'registered'
  if (sold <= 0n) return 'unsold'
  if (threshold === null || percent === null) return 'unknown'
  if (percent >= 100n) return 'reached'
  return percent >= nearFrom ? 'near' : 'below'
}

/**
 * The percentage of a threshold that is reached, in whole percent. `rate`: units of the currency for one euro. A
 * threshold of zero is reached by the first sale: 100 after a sale, otherwise 0.
 */
export function percentOf({ amount }: Threshold, counted: bigint, rate: string): bigint {
  if (amount === 0n) return counted > 0n ? 100n : 0n
  return (counted * 100n) / toEuros(amount, rate)
}
