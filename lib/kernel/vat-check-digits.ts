import * as jsvatModule from 'jsvat-next'

// jsvat-next is a CommonJS module: Node exposes its exports only under `default`, and a bundler exposes them by name.
const jsvat = 'checkVAT' in jsvatModule ? jsvatModule : (jsvatModule as { default: typeof jsvatModule }).default

/** Returns the country (ISO 3166-1) whose format and check digits match the VAT ID, or null. Greece is GR, and XI is GB. */
export function countryByCheckDigits(vatId: string): string | null {
  const { isValid, country } = jsvat.checkVAT(vatId, jsvat.countries)
  return isValid && country ? country.isoCode.short : null
}

/** jsvat-next expects a Norwegian number without the prefix `NO` and with the suffix `MVA`. */
export const isNorwegianNumber = (nineDigits: string): boolean =>
  jsvat.checkVAT(`${nineDigits}MVA`, [jsvat.norway]).isValid

/** The prefixes of the EU, the United Kingdom, and Switzerland. jsvat-next knows all formats of these VAT IDs. */
const checkedPrefix =
  /^(?:AT|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)/

/** Whether a cleaned VAT ID begins with a checked prefix, but has a wrong format or wrong check digits. */
export function hasWrongCheckDigits(vatId: string): boolean {
  const capitals = vatId.toUpperCase()
  return checkedPrefix.test(capitals) && countryByCheckDigits(capitals.replace(/^GR/, 'EL')) === null
}
