import { isInEuVatArea } from './eu.ts'

/**
 * Where a buyer is for VAT: not always where the country's code says. Council Directive 2006/112/EC, art. 5 to 7 and 105;
 * European Commission, "Territorial status of EU countries and certain territories".
 */
export interface TaxArea {
  /** The country whose rate applies, ISO 3166-1 alpha-2. */
  readonly country: string
  readonly isInEu: boolean
  /** A rate of its own, as a decimal. */
  readonly percentage?: string
}

const outside = (country: string): TaxArea => ({ country, isInEu: false })

interface Territory {
  readonly country: string
  /** Postal codes, without blanks and in capitals. */
  readonly postalCode: RegExp
  readonly area: TaxArea
}

/** Parts of countries. Portugal's islands: the rates of TEDB, 2026-08. */
const territories: readonly Territory[] = [
  // Canary Islands; Ceuta; Melilla
  { country: 'ES', postalCode: /^(35|38)\d{3}$/, area: outside('ES') },
  { country: 'ES', postalCode: /^(5100|5200)\d$/, area: outside('ES') },
  // Livigno; Campione d'Italia
  { country: 'IT', postalCode: /^(23041|22061)$/, area: outside('IT') },
  // Büsingen; Heligoland
  { country: 'DE', postalCode: /^(78266|27498)$/, area: outside('DE') },
  // Åland
  { country: 'FI', postalCode: /^22\d{3}$/, area: outside('FI') },
  // Mount Athos
  { country: 'GR', postalCode: /^63086$/, area: outside('GR') },
  // Madeira; Azores
  { country: 'PT', postalCode: /^9[0-4]\d{2}(-?\d{3})?$/, area: { country: 'PT', isInEu: true, percentage: '22' } },
  { country: 'PT', postalCode: /^9[5-9]\d{2}(-?\d{3})?$/, area: { country: 'PT', isInEu: true, percentage: '16' } },
  // The French overseas departments, by the postal codes of France; their own country codes are in none of the tables.
  { country: 'FR', postalCode: /^97[1-46]\d{2}$/, area: outside('FR') },
]

/** The VAT area of a buyer's country and postal code. */
export function taxAreaOf(country: string, postalCode: string | null = null): TaxArea {
  const code = (postalCode ?? '').replaceAll(/\s/g, '').toUpperCase()
  const territory = territories.find((each) => each.country === country && each.postalCode.test(code))
  if (territory) return territory.area
  // Monaco counts as France (art. 7).
  return country === 'MC' ? { country: 'FR', isInEu: true } : { country, isInEu: isInEuVatArea(country) }
}
