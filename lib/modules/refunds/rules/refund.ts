import type { Duration } from '../../../kernel/calendar.ts'
import type { Currency } from '../../../kernel/money.ts'
import type { Reversal } from '../../orders/rules/credit-note.ts'
import type { RefundStatus } from './state.ts'

/** A refund: money of an order that returns to the buyer. */
export interface Refund extends Reversal {
  readonly id: string
  readonly testmode: boolean
  readonly orderId: string
  readonly customerId: string
  readonly status: RefundStatus
  readonly currency: Currency
  readonly metadata: string | null
  /** The part of our fee on the sale that the refund returns, from the time it is sent. Minor units. */
  readonly feeReturned: bigint
  /** Until then the refund can be canceled. */
  readonly windowEndsAt: Date
  /** Since when the refund must be canceled at the provider, if that is still possible; null if not requested. */
  readonly recalledAt: Date | null
  readonly creditNoteId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** How long a refund can be canceled, on the storefront's clock. */
export const cancelWindow = {
  test: { seconds: 60 },
  live: { hours: 2 },
} as const satisfies Record<string, Duration>
