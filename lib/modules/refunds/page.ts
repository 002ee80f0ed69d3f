import type { Amount } from '../../kernel/money.ts'

/** A line of an order in the admin area. Amounts are before tax. */
export interface RefundableLine {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly subtotal: Amount
  /** The part of the line that can still be refunded. */
  readonly left: Amount
}

/** The amounts that a refund would return. */
interface RefundPreview {
  readonly subtotal: Amount
  readonly taxes: readonly {
    readonly taxRate: { readonly name: string; readonly percentage: number }
    readonly amount: Amount
  }[]
  readonly total: Amount
}

/** The page that shows a refund before it is created. */
export interface RefundPage {
  readonly orderId: string
  readonly lines: readonly RefundableLine[]
  /** The typed amounts, by line. */
  readonly amounts: Readonly<Record<string, string>>
  /** The problems by line; `order` for the whole order. */
  readonly problems: Readonly<Record<string, string>>
  /** Null while the input has a problem. */
  readonly preview: RefundPreview | null
  /** Whether the form needs a code of the second factor. */
  readonly needsCode: boolean
  readonly formKey: string
}
