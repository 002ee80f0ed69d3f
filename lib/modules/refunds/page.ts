import type { Amount } from '../../kernel/money.ts'
import type { Arrival } from './rules/arrival.ts'

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
  /** The entered amounts before tax, by line id. */
  readonly amounts: Readonly<Record<string, string>>
  readonly sum: string
  readonly tax: 'included' | 'excluded'
  readonly reason: string
}

export interface RefundPage {
  readonly orderId: string
  readonly lines: readonly RefundableLine[]
  readonly left: Amount
  readonly form: RefundForm
  readonly arrival: Arrival
  /** The keys are line ids, `sum`, `reason`, and `order` (for problems of the whole order). */
  readonly problems: Readonly<Record<string, string>>
  readonly preview: RefundPreview | null
  readonly needsCode: boolean
  readonly formKey: string
}
