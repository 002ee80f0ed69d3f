import type { Amount } from '../../kernel/money.ts'
import type { Arrival } from './rules/arrival.ts'

/** Amounts are before tax. */
export interface RefundableLine {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly subtotal: Amount
  readonly left: Amount
}

interface RefundPreview {
  readonly subtotal: Amount
  readonly taxes: readonly {
    readonly taxRate: { readonly name: string; readonly percentage: number }
    readonly amount: Amount
  }[]
  readonly total: Amount
  readonly lines: readonly { readonly description: string; readonly subtotal: Amount; readonly total: Amount }[]
}

export interface RefundForm {
  /** Amounts before tax, by line. */
  readonly amounts: Readonly<Record<string, string>>
  /** An amount or a share of the order; empty for amounts by line. */
  readonly sum: string
  readonly tax: 'included' | 'excluded'
  readonly reason: string
}

export interface RefundPage {
  readonly orderId: string
  readonly lines: readonly RefundableLine[]
  /** With tax. */
  readonly left: Amount
  readonly form: RefundForm
  readonly arrival: Arrival
  /** The problems by line id, or by `sum`, `reason`, or `order` for the whole order. */
  readonly problems: Readonly<Record<string, string>>
  readonly preview: RefundPreview | null
  readonly needsCode: boolean
  readonly formKey: string
}
