/** The member states, and Monaco, which counts as France (art. 7). Northern Ireland is in the area for goods only. */
const euVatArea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' '),
)

/** `country` is ISO 3166-1 alpha-2. */
export const isInEuVatArea = (country: string | null): boolean => country !== null && euVatArea.has(country)
