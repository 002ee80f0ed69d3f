export interface TransferDetails {
  readonly bankName: string
  readonly account: string
  readonly bic: string | null
  /** The provider matches the transfer to the payment by this text, so the buyer must use it exactly. */
  readonly reference: string
}
