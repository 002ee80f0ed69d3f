import { hasRightCheckDigits } from '../../../kernel/vat-number.ts'
import { isOfForm } from './tax-id-format.ts'

/** The prefix of VAT IDs where it is not the country's code. Monaco's companies have French ones. */
const prefixes: Readonly<Record<string, string>> = { GR: 'EL', MC: 'FR' }

export const vatIdPrefix = (country: string): string => prefixes[country] ?? country

/** A tax ID as registries know it: without blanks, dots and dashes, in capitals. */
export const plainTaxId = (taxId: string): string => taxId.replaceAll(/[\s.\-/]/g, '').toUpperCase()

/**
 * Whether a tax ID is one that the buyer's country gives, by its form and its check digits. Its registry may say
 * otherwise. A country whose IDs are not in the tables accepts any.
 */
export function isWellFormed(taxId: string, country: string): boolean {
  const plain = plainTaxId(taxId)
  const prefix = vatIdPrefix(country)
  const form = isOfForm(plain, prefix === 'EL' ? 'GR' : prefix, prefix)
  return form === null || (form && hasRightCheckDigits(plain))
}
