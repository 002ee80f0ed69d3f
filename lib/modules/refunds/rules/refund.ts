import type { Duration } from '../../../kernel/calendar.ts'
import type { Currency } from '../../../kernel/money.ts'
import type { Reversal } from '../../orders/rules/credit-note.ts'
import type { RefundStatus } from './state.ts'

/** Money of an order on its way back to the buyer. */
export interface Refund extends Reversal {
  readonly id: string
  readonly testmode: boolean
  readonly orderId: string
  readonly customerId: string
  readonly status: RefundStatus
  readonly currency: Currency
  readonly metadata: string | null
  /** The part of our fee on the sale that is returned with it, from the moment it is sent. */
  readonly feeReturned: bigint
  /** Until then it can be canceled. */
  readonly windowEndsAt: Date
  /** Since when it is to be canceled at the provider, if it still can be; null if it is not. */
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
