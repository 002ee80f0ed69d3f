import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { Collects, RetryBlock } from './rules/index.ts'

/** A failed payment that the service still tries to collect. Times are ISO 8601 in UTC. */
export interface PastDueRow {
  readonly id: string
  /** The page of the order. */
  readonly url: string
  /** The customer's company, personal name, or email address: the first that is known. */
  readonly customer: string
  /** The page of the subscription; null for a purchase. */
  readonly subscriptionUrl: string | null
  readonly amount: Amount
  /** The reason of the latest failure. */
  readonly reason: FailureReason
  /** The number of attempts so far, including the first charge, and the maximum of the schedule. */
  readonly attempts: { readonly made: number; readonly most: number }
  /** Null if the recovery waits for a new payment method, and while a charge is in progress. */
  readonly nextAttemptAt: string | null
  /** Null while a charge is in progress. */
  readonly writtenOffAt: string | null
  /** What the order billed, which decides the effects of a write-off. */
  readonly collects: Collects
  readonly actions: PastDueActions
}

/** The reader's actions on a past due payment. */
export interface PastDueActions {
  /** Why the payment cannot be retried now; null if it can. */
  readonly retryBlock: RetryBlock | null
  readonly mayRetry: boolean
  readonly maySendLink: boolean
  readonly mayWriteOff: boolean
  readonly mayCancel: boolean
  readonly formKey: string
}

export type PastDuePage = AdminList<PastDueRow>
