import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { FailureReason } from '../payments/rules/failure.ts'

/** A failed payment that is still collected. Times are ISO 8601 in UTC. */
export interface PastDueRow {
  readonly id: string
  /** The page of the order. */
  readonly url: string
  /** The company, person, or address of the customer. */
  readonly customer: string
  /** The page of the subscription; null for a purchase. */
  readonly subscriptionUrl: string | null
  readonly amount: Amount
  /** Of the latest failure. */
  readonly reason: FailureReason
  /** The attempts so far, the first charge included, and the most that the schedule has. */
  readonly attempts: { readonly made: number; readonly most: number }
  /** Null if nothing is charged without a new payment method, and while a charge is on its way. */
  readonly nextAttemptAt: string | null
  /** Null while a charge is on its way. */
  readonly writtenOffAt: string | null
}

export type PastDuePage = AdminList<PastDueRow>
