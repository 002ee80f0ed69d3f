import type { z } from 'zod'
import type { EmailRow } from '../emails/page.ts'
import type { RefundShape } from '../refunds/contract.ts'
import type { RefundableLine } from '../refunds/page.ts'
import type { OrderShape } from './contract.ts'
import type { WithdrawalKind } from './rules/withdrawal.ts'

/** An order of the interface, as pages show it. */
export type AdminOrder = z.infer<typeof OrderShape>

/** One order in the admin area, with its refunds and emails. */
export interface OrderPage {
  readonly order: AdminOrder
  readonly lines: readonly RefundableLine[]
  /** Why nothing of it can be refunded; null when something can. */
  readonly notRefundable: string | null
  readonly refunds: readonly z.infer<typeof RefundShape>[]
  readonly emails: readonly EmailRow[]
  /** Whether the reader may refund. */
  readonly mayRefund: boolean
  /** A consumer's right of withdrawal; null without it, and before the payment. */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean; readonly until: string } | null
  readonly formKey: string
}
