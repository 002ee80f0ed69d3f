/** The parts of a form's text that depend on the input. The server writes these texts, and the browser inserts them. */
export interface LiveText {
  taxId: { text: string; isGood: boolean }
  addressHint: string
  asksForTaxId: boolean
  asksForAddress: boolean
  /** Whether the postal code, which decides the province, must be visible. */
  asksForProvince: boolean
  /** False in countries without postal codes. */
  asksForPostalCode: boolean
  /** The names of optional fields that other input makes required. */
  required: string[]
  /** The announcement for a screen reader. It is announced whenever it differs from the previous announcement. */
  changed: string
  /** The text of the button, if it depends on the input. */
  confirm?: string
  /** The prices on the page, encoded for the form field `seenPrices`. */
  seenPrices?: string
}
