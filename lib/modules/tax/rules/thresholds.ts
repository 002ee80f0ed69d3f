import { type Currency, toEuros } from '../../../kernel/money.ts'
import { isInEuVatArea } from './eu.ts'
import type { TaxRate } from './rates.ts'
import { supplyOf, type TaxDocument } from './returns.ts'
import { vatCountry } from './territories.ts'

/** From which sales on a country wants a seller from elsewhere to be registered for what consumers there buy. */
export interface Threshold {
  /** A country (ISO 3166-1 alpha-2), or `EU` for all member states but the seller's. */
  readonly country: string
  /** Minor units of `currency`, without tax; 0: from the first sale on. */
  readonly amount: bigint
  readonly currency: Currency
  /** What counts towards it: what consumers there buy, or all that the seller sells anywhere. */
  readonly counts: 'sales_there' | 'worldwide'
  /** In a calendar year, or in any twelve months. */
  readonly within: 'calendar_year' | 'twelve_months'
  /** Whose it is, where it is not the same for every seller. */
  readonly seller?: 'in_eu' | 'outside_eu'
  /** The day from which it holds for sales of this kind. */
  readonly since: string
  readonly law: string
}

/**
 * The thresholds for software and e-services that are known here. A country that is not in the table has one that is not
 * known, or none. Adding one is adding its line, with the law that sets it.
 */
export const thresholds: readonly Threshold[] = [
  {
    country: 'EU',
    amount: 1_000_000n,
    currency: 'EUR',
    counts: 'sales_there',
    within: 'calendar_year',
    // Up to it, in this year and the one before, a seller may tax consumers in all member states as at home.
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
    // Art. 59c is for sellers who are established in one member state alone.
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
    // Art. 10(2)(b)(2) has no relief for electronic services to those who are not taxable.
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

/** Invoices, or credit notes, that are alike in all that matters here, added up. */
export interface SalesSum
  extends Pick<TaxDocument, 'sellerCountry' | 'buyerCountry' | 'postalCode' | 'currency' | 'exchangeRate'> {
  readonly isCredited: boolean
  /** Whether the registry confirmed the buyer's tax ID at the sale: a company, also where no tax depends on that. */
  readonly isConfirmed: boolean
  readonly taxes: readonly { readonly rate: TaxRate }[]
  /** Minor units without tax, not negative. */
  readonly subtotal: bigint
}

export interface ThresholdRow {
  readonly country: string
  /** What consumers there bought, less credit notes: EUR cents without tax, at the rates of the sales. */
  readonly sold: bigint
  /** What counts towards the threshold, likewise. */
  readonly counted: bigint
  /** Null where none is known. */
  readonly threshold: Threshold | null
}

/**
 * What consumers in other countries bought, for all member states together and for each country outside the EU, with every
 * threshold that is known, also where nothing was sold. The rates that this service charges in the EU are those of the
 * consumer's country from the first sale on, which art. 59c(3) of the Directive allows.
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

/** From how many percent of a threshold on it is near. */
const nearFrom = 80n

export const standings = ['reached', 'near', 'below', 'unknown', 'registered', 'unsold'] as const

/**
 * Where a seller stands with a country: `registered` there, whatever was sold; `unsold`: consumers there bought nothing, or
 * gave all back, so that nothing has to be registered for; `unknown`: no threshold is in the table.
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
 * The whole percent of a threshold that counts already, at the currency's units for one euro. A threshold of nothing is
 * reached by the first sale: 100 then, else 0.
 */
export function percentOf({ amount }: Threshold, counted: bigint, rate: string): bigint {
  if (amount === 0n) return counted > 0n ? 100n : 0n
  return (counted * 100n) / toEuros(amount, rate)
}
