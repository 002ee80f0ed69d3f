import { cleanTaxId } from '../../../kernel/tax-id.ts'
import { countryByCheckDigits, isNorwegianNumber } from '../../../kernel/vat-check-digits.ts'
import { isInEuVatArea } from './eu.ts'
import { vatCountry } from './place-of-supply.ts'

/** Returns the tax ID in the form that comparisons and registries need: cleaned, in capitals, and with EL instead of GR for Greece. */
export function canonicalTaxId(typed: string): string {
  const plain = cleanTaxId(typed).toUpperCase()
  return plain.startsWith('GR') ? `EL${plain.slice(2)}` : plain
}

/** Returns EL for Greece, the prefix of France for Monaco, and the prefix of the United Kingdom for the Isle of Man. */
export const taxIdPrefix = (country: string): string => (country === 'GR' ? 'EL' : vatCountry(country))

/**
 * Returns the prefix that a country's VAT IDs require. Returns null if the country requires no prefix, such as Norway,
 * where the prefix is optional.
 */
export function requiredPrefix(country: string): string | null {
  if (country === 'CH' || country === 'LI') return 'CHE'
  return vatCountry(country) === 'GB' || isInEuVatArea(country) ? taxIdPrefix(country) : null
}

export const viesParts = (taxId: string): { countryCode: string; vatNumber: string } => {
  const canonical = canonicalTaxId(taxId)
  return { countryCode: canonical.slice(0, 2), vatNumber: canonical.slice(2) }
}

/**
 * Checks the prefix, the format, and the check digits. If the format of a country is unknown, any text is accepted, because the tax ID is printed and does
 * not change the tax. Numbers of the One Stop Shop (`EU372022452`) are refused.
 */
export function isTaxIdOf(typed: string, country: string): boolean {
  const taxId = canonicalTaxId(typed)
  if (/^EU\d{9}$/.test(taxId)) return false
  if (vatCountry(country) === 'GB') return isBritish(taxId)
  if (country === 'NO') return isNorwegian(taxId)
  if (country === 'CH' || country === 'LI') return taxId.startsWith('CHE') && hasCheckDigits(taxId, 'CH')
  if (!isInEuVatArea(country)) return taxId !== ''
  if (!taxId.startsWith(taxIdPrefix(country))) return false
  // Only companies of Monaco have a SIREN that begins with 000 (python-stdnum, stdnum/mc/tva.py).
  if (country === 'MC' && taxId.slice(4, 7) !== '000') return false
  return hasCheckDigits(taxId, taxIdPrefix(country))
}

/** Northern Ireland's prefix XI is for goods. For services, a VAT ID with this prefix counts as a VAT ID of Great Britain. */
const isBritish = (taxId: string): boolean => /^(GB|XI)/.test(taxId) && hasCheckDigits(`GB${taxId.slice(2)}`, 'GB')

/** Whether a VAT ID is Norwegian. The prefix NO and the suffix MVA are optional. */
const isNorwegian = (taxId: string): boolean => {
  const number = taxId.startsWith('NO') ? taxId.slice(2) : taxId
  return /^\d{9}(MVA)?$/.test(number) && isNorwegianNumber(number.slice(0, 9))
}

const hasCheckDigits = (taxId: string, prefix: string): boolean =>
  countryByCheckDigits(taxId) === (prefix === 'EL' ? 'GR' : prefix)
