import { placeOfSupply } from './place-of-supply.ts'
import { standardRates, type TaxRate } from './rates.ts'

export interface RateSource {
  /** `since` is the first day of the rate in ISO 8601 (UTC). It is null if no table states the day, for example for the rate of a region. */
  readonly since: string | null
  readonly source: string
}

const european = 'eu-vat-rates-data of 2026-08-22, from the database of taxes of the European Commission (TEDB)'
const canadian = 'Canada Revenue Agency; Revenu Québec; the ministries of finance of the provinces'
const french = 'Code général des impôts, art. 294 and 296'
const none = 'No tax is charged.'

export function sourceOfRate(
  { name, percentage }: TaxRate,
  { country, postalCode, on }: { country: string; postalCode: string | null; on: Date },
): RateSource {
  if (name !== 'VAT' && percentage === '0') return { since: null, source: none }
  if (country === 'CA') return { since: name === 'GST' ? sinceOf('CA', percentage, on) : null, source: canadian }
  const place = placeOfSupply(country, postalCode)
  if (place.area === 'outside' && place.ratePercentage !== null) return { since: null, source: french }
  if (place.ratePercentage !== null) return { since: null, source: european }
  return { since: sinceOf(place.country ?? country, percentage, on), source: european }
}

function sinceOf(country: string, percentage: string, on: Date): string | null {
  const day = on.toISOString().slice(0, 10)
  const row = standardRates.findLast((each) => each.country === country && each.effectiveFrom <= day)
  return row?.percentage === percentage ? row.effectiveFrom : null
}
