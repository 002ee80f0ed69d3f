import type { Duration } from '../../../kernel/calendar.ts'
import type { Currency } from '../../../kernel/money.ts'
import type { Reversal } from '../../orders/rules/credit-note.ts'
import type { RefundStatus } from './state.ts'

export interface Refund extends Reversal {
  readonly id: string
  readonly testmode: boolean
  readonly orderId: string
  readonly customerId: string
  readonly status: RefundStatus
  readonly currency: Currency
  readonly metadata: string | null
  /** The returned part of our fee on the sale, in minor units. It is set when the refund is sent. */
  readonly feeReturned: bigint
  readonly windowEndsAt: Date
  /** When the provider was asked to cancel the refund; null if no cancellation was requested. */
  readonly recalledAt: Date | null
  readonly creditNoteId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** The time in which a merchant can cancel a refund, measured on the storefront's clock. */
export const cancelWindow = {
  test: { seconds: 60 },
  live: { hours: 2 },
} as const satisfies Record<string, Duration>
