export interface TaxRate {
  readonly name: string
  readonly percentage: string
}

interface DatedRate extends TaxRate {
  /** `country` is an ISO 3166-1 alpha-2 code. Greece is GR, although its VAT IDs begin with EL. */
  readonly country: string
  readonly effectiveFrom: string
}

/** No sale is older than this day. */
const tableBegins = '2024-01-01'

/**
 * Sources: for Europe, eu-vat-rates-data of 2026-08-22, generated from the European Commission's database of taxes (TEDB); for Canada, Revenu Québec. A test
 * compares each row with the npm package sales-tax. The rates of a country are in order of time.
 */
export const standardRates: readonly DatedRate[] = [
  { country: 'AT', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'BE', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'BG', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'CY', name: 'VAT', percentage: '19', effectiveFrom: '2024-01-01' },
  { country: 'CZ', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'DE', name: 'VAT', percentage: '19', effectiveFrom: '2024-01-01' },
  { country: 'DK', name: 'VAT', percentage: '25', effectiveFrom: '2024-01-01' },
  { country: 'EE', name: 'VAT', percentage: '22', effectiveFrom: '2024-01-01' },
  { country: 'EE', name: 'VAT', percentage: '24', effectiveFrom: '2025-07-01' },
  { country: 'ES', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'FI', name: 'VAT', percentage: '24', effectiveFrom: '2024-01-01' },
  { country: 'FI', name: 'VAT', percentage: '25.5', effectiveFrom: '2024-09-01' },
  { country: 'FR', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'GR', name: 'VAT', percentage: '24', effectiveFrom: '2024-01-01' },
  { country: 'HR', name: 'VAT', percentage: '25', effectiveFrom: '2024-01-01' },
  { country: 'HU', name: 'VAT', percentage: '27', effectiveFrom: '2024-01-01' },
  { country: 'IE', name: 'VAT', percentage: '23', effectiveFrom: '2024-01-01' },
  { country: 'IT', name: 'VAT', percentage: '22', effectiveFrom: '2024-01-01' },
  { country: 'LT', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'LU', name: 'VAT', percentage: '17', effectiveFrom: '2024-01-01' },
  { country: 'LV', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'MT', name: 'VAT', percentage: '18', effectiveFrom: '2024-01-01' },
  { country: 'NL', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'PL', name: 'VAT', percentage: '23', effectiveFrom: '2024-01-01' },
  { country: 'PT', name: 'VAT', percentage: '23', effectiveFrom: '2024-01-01' },
  { country: 'RO', name: 'VAT', percentage: '19', effectiveFrom: '2024-01-01' },
  { country: 'RO', name: 'VAT', percentage: '21', effectiveFrom: '2025-08-01' },
  { country: 'SE', name: 'VAT', percentage: '25', effectiveFrom: '2024-01-01' },
  { country: 'SI', name: 'VAT', percentage: '22', effectiveFrom: '2024-01-01' },
  { country: 'SK', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'SK', name: 'VAT', percentage: '23', effectiveFrom: '2025-01-01' },
  { country: 'AD', name: 'VAT', percentage: '4.5', effectiveFrom: '2024-01-01' },
  { country: 'AL', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'BA', name: 'VAT', percentage: '17', effectiveFrom: '2024-01-01' },
  { country: 'CH', name: 'VAT', percentage: '8.1', effectiveFrom: '2024-01-01' },
  { country: 'GB', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'GE', name: 'VAT', percentage: '18', effectiveFrom: '2024-01-01' },
  { country: 'IS', name: 'VAT', percentage: '24', effectiveFrom: '2024-01-01' },
  { country: 'LI', name: 'VAT', percentage: '8.1', effectiveFrom: '2024-01-01' },
  { country: 'MC', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'MD', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'ME', name: 'VAT', percentage: '21', effectiveFrom: '2024-01-01' },
  { country: 'MK', name: 'VAT', percentage: '18', effectiveFrom: '2024-01-01' },
  { country: 'NO', name: 'VAT', percentage: '25', effectiveFrom: '2024-01-01' },
  { country: 'RS', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'TR', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'UA', name: 'VAT', percentage: '20', effectiveFrom: '2024-01-01' },
  { country: 'CA', name: 'GST', percentage: '5', effectiveFrom: '2024-01-01' },
]

/**
 * Returns the standard rate of a country on a day. Returns null if the table has no entry. Throws if the day is before
 * the start of the table.
 */
export function standardRate(country: string, on: Date): TaxRate | null {
  const day = on.toISOString().slice(0, 10)
  if (day < tableBegins)
    throw new RangeError(`The table of tax rates begins on ${tableBegins} and has no rate for ${day}`)
  const rate = standardRates.findLast((row) => row.country === country && row.effectiveFrom <= day)
  return rate ? { name: rate.name, percentage: rate.percentage } : null
}
