/** The bank details for a buyer's transfer. */
export interface TransferDetails {
  readonly bankName: string
  /** The account's IBAN. */
  readonly account: string
  readonly bic: string | null
  /** What the buyer must write into the transfer, exactly: the provider finds the payment by it. */
  readonly reference: string
}
