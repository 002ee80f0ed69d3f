import { lookUp } from '../../../kernel/look-up.ts'

/**
 * The format of a tax ID after its prefix, with an example. Sources: for the EU, European Commission, VIES, "What is the structure of VAT numbers?"; for GB,
 * HMRC; for CH, Federal Tax Administration; for NO, Norwegian Tax Administration.
 */
const forms: Readonly<Record<string, readonly [form: RegExp, example: string]>> = {
  AT: [/^U\d{8}$/, 'U12345678'],
  BE: [/^[01]\d{9}$/, '0123456789'],
  BG: [/^\d{9,10}$/, '123456789'],
  CH: [/^E\d{9}(MWST|TVA|IVA)?$/, 'E123456789MWST'],
  CY: [/^\d{8}[A-Z]$/, '12345678L'],
  CZ: [/^\d{8,10}$/, '12345678'],
  DE: [/^\d{9}$/, '123456789'],
  DK: [/^\d{8}$/, '12345678'],
  EE: [/^\d{9}$/, '123456789'],
  ES: [/^[A-Z\d]\d{7}[A-Z\d]$/, 'B12345678'],
  FI: [/^\d{8}$/, '12345678'],
  FR: [/^[A-Z\d]{2}\d{9}$/, '12345678901'],
  GB: [/^(\d{9}|\d{12}|(GD|HA)\d{3})$/, '123456789'],
  GR: [/^\d{9}$/, '123456789'],
  HR: [/^\d{11}$/, '12345678901'],
  HU: [/^\d{8}$/, '12345678'],
  IE: [/^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/, '1234567A'],
  IT: [/^\d{11}$/, '12345678901'],
  LT: [/^(\d{9}|\d{12})$/, '123456789'],
  LU: [/^\d{8}$/, '12345678'],
  LV: [/^\d{11}$/, '12345678901'],
  MT: [/^\d{8}$/, '12345678'],
  NL: [/^[\d+*]{9}B\d{2}$/, '123456789B01'],
  NO: [/^\d{9}(MVA)?$/, '123456789MVA'],
  PL: [/^\d{10}$/, '1234567890'],
  PT: [/^\d{9}$/, '123456789'],
  RO: [/^\d{2,10}$/, '12345678'],
  SE: [/^\d{12}$/, '123456789001'],
  SI: [/^\d{8}$/, '12345678'],
  SK: [/^\d{10}$/, '1234567890'],
}

/**
 * Returns an example of a tax ID if the entered tax ID does not have the format of the country. Returns null if the
 * entered tax ID has the format, or if the format is unknown. Ignores check digits and registries.
 */
export function taxIdExample(taxId: string | null, country: string, prefix: string): string | null {
  const [form, example] = lookUp(forms, country) ?? []
  if (!form || !example) return null
  const isOfThatForm = taxId?.startsWith(prefix) && form.test(taxId.slice(prefix.length))
  return isOfThatForm ? null : `${prefix}${example}`
}
