import type { Amount } from '../../kernel/money.ts'

/** A line of an order on the pages of the admin area; amounts are before tax. */
export interface RefundableLine {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly subtotal: Amount
  /** What can still be refunded of it. */
  readonly left: Amount
}

/** What a refund would return. */
interface RefundPreview {
  readonly subtotal: Amount
  readonly taxes: readonly {
    readonly taxRate: { readonly name: string; readonly percentage: number }
    readonly amount: Amount
  }[]
  readonly total: Amount
}

/** The page on which a refund is checked before it is created. */
export interface RefundPage {
  readonly orderId: string
  readonly lines: readonly RefundableLine[]
  /** What was typed, by line. */
  readonly amounts: Readonly<Record<string, string>>
  /** What is wrong, by line; under `order`, of the whole. */
  readonly problems: Readonly<Record<string, string>>
  /** Null while something is wrong. */
  readonly preview: RefundPreview | null
  /** Whether a code of the second factor has to be given with it. */
  readonly needsCode: boolean
  readonly formKey: string
}
