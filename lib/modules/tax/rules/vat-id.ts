import * as jsvatModule from 'jsvat-next'
import { cleanTaxId } from '../../../kernel/tax-id.ts'
import { isInEuVatArea } from './eu.ts'
import { vatCountry } from './territories.ts'

// A CommonJS module: Node exposes its exports under `default` only, and a bundler by name.
const jsvat = 'checkVAT' in jsvatModule ? jsvatModule : (jsvatModule as { default: typeof jsvatModule }).default

/** For comparisons and registries: cleaned, in capitals, and with EL for Greece. */
export function canonicalTaxId(typed: string): string {
  const plain = cleanTaxId(typed).toUpperCase()
  return plain.startsWith('GR') ? `EL${plain.slice(2)}` : plain
}

/** EL for Greece, the prefix of France for Monaco, and the prefix of the United Kingdom for the Isle of Man. */
export const taxIdPrefix = (country: string): string => (country === 'GR' ? 'EL' : vatCountry(country))

/** Null without such a rule, as in Norway, where the prefix is optional. */
export function requiredPrefix(country: string): string | null {
  if (country === 'CH' || country === 'LI') return 'CHE'
  return vatCountry(country) === 'GB' || isInEuVatArea(country) ? taxIdPrefix(country) : null
}

/** The two parts that VIES expects: `DE`, `136695976`. */
export const viesParts = (taxId: string): { countryCode: string; vatNumber: string } => {
  const canonical = canonicalTaxId(taxId)
  return { countryCode: canonical.slice(0, 2), vatNumber: canonical.slice(2) }
}

/**
 * By prefix, form, and check digits. In a country with an unknown form any text is accepted: it is printed and changes
 * no tax. Numbers of the One Stop Shop (`EU372022452`) are never accepted.
 */
export function isTaxIdOf(typed: string, country: string): boolean {
  const taxId = canonicalTaxId(typed)
  if (/^EU\d{9}$/.test(taxId)) return false
  if (vatCountry(country) === 'GB') return isBritish(taxId)
  if (country === 'NO') return isNorwegian(taxId)
  if (country === 'CH' || country === 'LI') return taxId.startsWith('CHE') && hasCheckDigits(taxId, 'CH')
  if (!isInEuVatArea(country)) return taxId !== ''
  if (!taxId.startsWith(taxIdPrefix(country))) return false
  // Only companies of Monaco get a SIREN that begins with 000 (python-stdnum, stdnum/mc/tva.py).
  if (country === 'MC' && taxId.slice(4, 7) !== '000') return false
  return hasCheckDigits(taxId, taxIdPrefix(country))
}

/** Northern Ireland's prefix is for goods. For services the ID counts as one of Great Britain. */
const isBritish = (taxId: string): boolean => /^(GB|XI)/.test(taxId) && hasCheckDigits(`GB${taxId.slice(2)}`, 'GB')

/** jsvat-next expects Norwegian numbers without their prefix and with MVA. */
const isNorwegian = (taxId: string): boolean => {
  const number = taxId.startsWith('NO') ? taxId.slice(2) : taxId
  return /^\d{9}(MVA)?$/.test(number) && jsvat.checkVAT(`${number.slice(0, 9)}MVA`, [jsvat.norway]).isValid
}

function hasCheckDigits(taxId: string, prefix: string): boolean {
  const { isValid, country } = jsvat.checkVAT(taxId, jsvat.countries)
  return isValid && country?.isoCode.short === (prefix === 'EL' ? 'GR' : prefix)
}
