/** The bank details for a buyer's transfer. */
export interface TransferDetails {
  readonly bankName: string
  /** The account's IBAN. */
  readonly account: string
  readonly bic: string | null
  /** The exact text for the transfer, by which the provider finds the payment. */
  readonly reference: string
}
