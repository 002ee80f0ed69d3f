/** The text of every form that depends on the input. The server writes it; the browser only puts it in place. */
export interface LiveText {
  taxId: { text: string; isGood: boolean }
  /** What the address is for, and whether it may be left out. */
  addressHint: string
  /** The tax ID may not be folded away. */
  asksForTaxId: boolean
  /** The address may not be folded away. */
  asksForAddress: boolean
  /** Nor may the postal code, which tells the province. */
  asksForProvince: boolean
  /** False where addresses have no postal code. */
  asksForPostalCode: boolean
  /** Fields that may not be left empty because of other input. */
  required: string[]
  /** Announced to a screen reader when it changes. */
  changed: string
  /** The words on the button, where they depend on the input. */
  confirm?: string
  /** What the form sends back as the prices that it shows. */
  seenPrices?: string
}
