import type { Amount } from '../../kernel/money.ts'
import type { Arrival } from './rules/arrival.ts'

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
  readonly lines: readonly { readonly description: string; readonly subtotal: Amount; readonly total: Amount }[]
}

/** The fields of the refund form, as typed. */
export interface RefundForm {
  /** Amounts before tax, by line. */
  readonly amounts: Readonly<Record<string, string>>
  /** An amount or a share of the order; empty for amounts by line. */
  readonly sum: string
  readonly tax: 'included' | 'excluded'
  readonly reason: string
}

/** The page that shows a refund before it is created. */
export interface RefundPage {
  readonly orderId: string
  readonly lines: readonly RefundableLine[]
  /** What can still be refunded, with tax. */
  readonly left: Amount
  readonly form: RefundForm
  readonly arrival: Arrival
  /** The problems by line id, or by `sum`, `reason`, or `order` for the whole order. */
  readonly problems: Readonly<Record<string, string>>
  /** Null while the input has a problem. */
  readonly preview: RefundPreview | null
  /** Whether the form needs a code of the second factor. */
  readonly needsCode: boolean
  readonly formKey: string
}
