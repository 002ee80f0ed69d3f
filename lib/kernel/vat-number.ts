import * as jsvat from 'jsvat-next'

const countries = jsvat.countries ?? []

/** Norway's numbers are written with a suffix that the library does not know. */
const unknownForms = /^NO/

/**
 * Whether the check digits of a VAT number are right, with its prefix and without blanks (`BE0403019261`). True for a
 * country whose rule is not known.
 */
export function hasRightCheckDigits(number: string): boolean {
  const { isSupportedCountry, isValid } = jsvat.checkVAT(number, countries)
  return !isSupportedCountry || isValid || unknownForms.test(number)
}
