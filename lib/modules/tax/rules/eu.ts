/**
 * The VAT area of the EU includes Monaco, which is treated as France (Directive 2006/112/EC, art. 7). Northern Ireland is not listed, because it is in the area
 * for goods only.
 */
const euVatArea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' '),
)

export const isInEuVatArea = (country: string | null): boolean => country !== null && euVatArea.has(country)
