/** The text of every form that depends on the input. The server writes it; the browser only puts it in place. */
export interface LiveText {
  taxId: { text: string; isGood: boolean }
  /** Why the address is needed, and whether it is optional. */
  addressHint: string
  /** Whether the tax ID must be unfolded. */
  asksForTaxId: boolean
  /** Whether the address must be unfolded. */
  asksForAddress: boolean
  /** Whether the postal code, which decides the province, must be unfolded. */
  asksForProvince: boolean
  /** False if addresses have no postal code. */
  asksForPostalCode: boolean
  /** Fields that other input makes required. */
  required: string[]
  /** Announced to a screen reader when it changes. */
  changed: string
  /** The text of the button, if it depends on the input. */
  confirm?: string
  /** The shown prices, as the form sends them back. */
  seenPrices?: string
}
