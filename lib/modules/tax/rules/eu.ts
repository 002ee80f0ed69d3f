/**
 * The area of the VAT directive: the member states, and Monaco, which counts as France (art. 7). Northern Ireland is in
 * the area for goods only.
 */
const euVatArea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' '),
)

/** Whether a country (ISO 3166-1 alpha-2) is in the area of Directive 2006/112/EC. */
export const isInEuVatArea = (country: string | null): boolean => country !== null && euVatArea.has(country)
