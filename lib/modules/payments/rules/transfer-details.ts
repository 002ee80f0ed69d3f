export interface TransferDetails {
  readonly bankName: string
  readonly account: string
  readonly bic: string | null
  /** The provider finds the payment by this exact text. */
  readonly reference: string
}
