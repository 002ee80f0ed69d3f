import type { Money } from '../../../kernel/money.ts'
import type { FailureReason, SellerView } from '../../checkouts/page.ts'

interface Common {
  readonly subscriptionName: string
  readonly storefrontName: string
  readonly seller: Pick<SellerView, 'name' | 'addressLines' | 'country'>
  readonly customerName: string | null
  /** What was to be charged, with tax. */
  readonly amount: Money
}

/** A mail to a customer: what it is about. `compose` finds the words. */
export type EmailContent = Common &
  (
    | {
        /** A soft decline: we try again by ourselves on that day. */
        readonly kind: 'payment_failed'
        readonly reason: FailureReason
        readonly nextAttemptAt: Date
        readonly updateUrl: string
      }
    | {
        /** A hard decline: without a new payment method the subscription ends at `endsAt`. The third reminder is the last. */
        readonly kind: 'payment_method_needed'
        readonly reason: FailureReason
        readonly endsAt: Date
        readonly updateUrl: string
        readonly reminder: 1 | 2 | 3
      }
    /** The subscription ended, because the payment did not come. */
    | { readonly kind: 'canceled_for_nonpayment' }
  )

/** `kept` where no mail server is set, or the mail is one of test mode that may not leave; `refused` when the server will never deliver it. */
export type EmailStatus = 'kept' | 'queued' | 'sent' | 'refused'
