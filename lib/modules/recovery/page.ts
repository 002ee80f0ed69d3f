import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { Collects, RetryBlock } from './rules/index.ts'

/** Times are ISO 8601 in UTC. */
export interface PastDueRow {
  readonly id: string
  readonly url: string
  readonly customer: string
  readonly subscriptionUrl: string | null
  readonly amount: Amount
  readonly reason: FailureReason
  readonly attempts: { readonly made: number; readonly most: number }
  /**
   * Null for the recovery of a purchase. Also null while a charge is in progress, or if the next step of the schedule
   * is not a charge.
   */
  readonly nextAttemptAt: string | null
  readonly writtenOffAt: string | null
  readonly collects: Collects
  readonly actions: PastDueActions
}

export interface PastDueActions {
  readonly retryBlock: RetryBlock | 'suspended' | 'onHold' | null
  readonly mayRetry: boolean
  readonly maySendLink: boolean
  readonly mayWriteOff: boolean
  readonly mayCancel: boolean
  readonly formKey: string
}

export type PastDuePage = AdminList<PastDueRow>
