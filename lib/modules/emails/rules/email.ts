import type { BillingInterval } from '../../../kernel/calendar.ts'
// This file is longer than 300 lines, because it has the content of all emails.
import type { KeyScope } from '../../../kernel/key-scope.ts'
import type { Amount } from '../../../kernel/money.ts'
import type { DirectDebit } from '../../../kernel/sepa.ts'
import type { EmailBrand } from '../../brand/page.ts'
import type { SellerView } from '../../checkouts/page.ts'
import type { Role } from '../../operators/rules/access.ts'
import type { WithdrawalKind } from '../../orders/rules/withdrawal.ts'
import type { FailureReason } from '../../payments/rules/failure.ts'
import type { PaymentMethod } from '../../payments/rules/method.ts'
import type { TransferDetails } from '../../payments/rules/transfer-details.ts'
import type { Mandate } from '../../subscriptions/rules/index.ts'

/** `beginsAtOnce`: whether the buyer requested a start of the supply before the end of the withdrawal period. */
export interface EmailWithdrawal {
  readonly kind: WithdrawalKind
  readonly beginsAtOnce: boolean
  /** `lastDay` is a date such as `2026-12-04`. Older emails have the time `until` instead. */
  readonly lastDay?: string
  readonly until?: string
  readonly url?: string | null
}

export type EmailSeller = Pick<SellerView, 'name' | 'addressLines' | 'country'> & Partial<Pick<SellerView, 'email'>>

interface Common {
  readonly storefrontName: string
  /** `brand` is absent in emails that were stored before storefronts had brands. */
  readonly brand?: EmailBrand
  readonly seller: EmailSeller
  /** `customerId` is null in an email to an operator or member. An erasure finds a customer's emails by this id. */
  readonly customerId: string | null
  readonly customerName: string | null
  /** `opensPortal` is set if the email goes to the customer's own address. The link in the email then opens the portal without a further email. */
  readonly opensPortal?: boolean
  /** The customer's IANA time zone, used for dates. Null or absent means UTC. */
  readonly timeZone?: string | null
}

interface Charge {
  readonly subscriptionName: string
  readonly amount: Amount
}

/** Billing periods that are charged as soon as the customer pays the amount of the failed payment. */
interface Waiting {
  readonly count: number
  readonly total: Amount
}

export type RecoveryEmail = Charge &
  (
    | {
        readonly kind: 'payment_failed'
        readonly reason: FailureReason
        readonly nextAttemptAt: string
        readonly waiting?: Waiting | null
        /** `directDebit` is set if the next attempt is a SEPA Direct Debit, which this email announces. */
        readonly directDebit?: DirectDebit | null
        readonly updateUrl: string
        /** Whether the failed payment is for a subscription change. Without the payment, the change is undone. */
        readonly isOfChange: boolean
      }
    | {
        /**
         * `endsAt` is the deadline for a new payment method. If the customer misses the deadline, the subscription ends
         * or, with `isOfChange`, the change is undone. Reminder 3 is the last.
         */
        readonly kind: 'payment_method_needed'
        readonly isOfChange: boolean
        readonly reason: FailureReason
        readonly endsAt: string
        readonly updateUrl: string
        readonly reminder: 1 | 2 | 3
      }
    | { readonly kind: 'canceled_for_nonpayment' }
    | {
        readonly kind: 'change_undone'
        /**
         * `returnsAt` is the end of the paid period, until which the changed terms apply. Null if the previous terms
         * apply again immediately.
         */
        readonly returnsAt: string | null
      }
  )

export interface PortalLinkEmail {
  readonly kind: 'portal_link'
  readonly url: string
}

export const customerLinks = ['portal', 'payment_method', 'invoice'] as const
export type CustomerLink = (typeof customerLinks)[number]

export interface CustomerLinkEmail {
  readonly kind: 'customer_link'
  readonly link: CustomerLink
  readonly about: string
  readonly url: string
}

export interface EmailChangeEmail {
  readonly kind: 'email_change'
  readonly url: string
}

export interface EmailChangedEmail {
  readonly kind: 'email_changed'
  readonly maskedEmail: string
  readonly changedAt: string
}

/** This email confirms a declaration of withdrawal with its content and time (Directive 2011/83/EU, art. 11a(4)). */
export interface WithdrawalReceivedEmail {
  readonly kind: 'withdrawal_received'
  readonly statement: string
  readonly name: string
  readonly email: string
  readonly number: string
  readonly declaredAt: string
  /** `isPaid` is absent in older emails, whose orders were all paid. */
  readonly isPaid?: boolean
  /**
   * Whether a service began at the buyer's request, so that the merchant may keep a share of the price. If this field is absent (in older emails), it counts
   * as true.
   */
  readonly beginsAtOnce?: boolean
  readonly endedSubscriptions: readonly string[]
  readonly reducedSubscriptions?: readonly { readonly name: string; readonly quantity: number }[]
  /** The payment for the ended subscriptions, which is still in progress and may succeed. Absent in older emails. */
  readonly underway?: Amount | null
}

export interface WithdrawnItem {
  readonly name: string
  readonly quantity: number
  readonly of?: number
}

export interface EmailDocument {
  readonly number: string
  readonly lines: readonly { readonly description: string; readonly quantity: number; readonly subtotal: Amount }[]
  readonly subtotal: Amount
  readonly taxes: readonly { readonly name: string; readonly percentage: number; readonly amount: Amount }[]
  readonly total: Amount
}

export interface EmailSubscription {
  readonly name: string
  readonly quantity: number
  readonly every: BillingInterval
  /** The price of a full billing interval, with tax if tax is due. */
  readonly price: Amount
  readonly withTax: boolean
  readonly trialUntil: string | null
  readonly directDebit?: DirectDebit | null
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** `hasEnded` is true if the payment arrived after the subscription ended, so that the email does not mention cancellation. */
  readonly hasEnded?: boolean
}

interface WithPortal {
  /** The personal portal link of the email, or the sign-in page if the email does not go to the customer's address. */
  readonly portalUrl: string
}

/** The invoice is attached. `payment_recovered` is the receipt of a payment that had failed before. */
export type ReceiptEmail = WithPortal & {
  readonly kind: 'receipt' | 'payment_recovered'
  readonly of: 'purchase' | 'subscription'
  readonly statementName?: string | null
  readonly document: EmailDocument
  /** The billing periods that waited for this payment and are charged now. Set only if the payment had failed before. */
  readonly waiting?: Waiting | null
  readonly subscriptions: readonly EmailSubscription[]
  readonly termsUrl: string | null
  readonly withdrawal?: EmailWithdrawal | null
}

/**
 * The credit note is attached. The cause is a refund, a dispute, or the write-off of an invoice whose direct debit the
 * bank returned.
 */
export type RefundEmail = WithPortal & {
  readonly kind: 'refund'
  readonly cause?: 'refund' | 'chargeback' | 'writtenOff'
  readonly document: EmailDocument
  readonly invoiceNumber: string
}

/** `document`, which is attached, is an invoice without tax that replaces another invoice. The tax is refunded. */
export type InvoiceCorrectedEmail = WithPortal & {
  readonly kind: 'invoice_corrected'
  readonly document: EmailDocument
  readonly invoiceNumber: string
  readonly creditNoteNumber: string
  readonly tax: Amount
}

export type ConfirmationEmail = WithPortal & {
  readonly kind: 'subscription_confirmation'
  readonly subscriptions: readonly EmailSubscription[]
  readonly termsUrl: string | null
  readonly withdrawal?: EmailWithdrawal | null
}

/** This email announces a charge: the first charge after a trial, a yearly charge, a direct debit, or a charge that differs from its earlier announcement. */
export type ChargeNoticeEmail = WithPortal & {
  readonly kind: 'trial_ending' | 'renewal_notice' | 'debit_notice'
  readonly subscription: EmailSubscription
  readonly nextCharge: NonNullable<EmailSubscription['nextCharge']>
  readonly from?: EmailSubscription
  readonly insteadOf?: NonNullable<EmailSubscription['nextCharge']>
  /**
   * Set if the notice announces a retry of a failed payment. States the billing periods that are due at the time of the
   * retry and are charged together with the retry.
   */
  readonly waiting?: Waiting | null
}

export interface CancellationEmail extends WithPortal {
  readonly kind: 'cancellation'
  readonly subscriptionName: string
  readonly canceledAt: string
  readonly endsAt: string
  readonly unpaid?: EmailUnpaid | null
  readonly isDisputed?: boolean
}

interface EmailUnpaid {
  readonly total: Amount
  /**
   * Set if the subscription ends earlier than `endsAt` when the amount stays unpaid. `at` is the time of the earlier
   * end; null if the time is unknown.
   */
  readonly endsEarlier: { readonly at: string | null } | null
  /** Whether the payment is for a subscription change. Without the payment, the change is undone. */
  readonly isOfChange: boolean
}

/** This email says whether the details or the payment method changed, but does not show the details. */
export interface BillingUpdatedEmail extends WithPortal {
  readonly kind: 'billing_updated'
  readonly subscriptionName: string
  readonly hasNewDetails: boolean
  readonly newMethod: Pick<Mandate, 'method' | 'maskedIdentifier'> | null
  readonly changedAt: string
  readonly nextCharge?: {
    readonly total: Amount
    readonly at: string
    readonly insteadOf: Amount
  }
}

export interface SubscriptionEndedEmail {
  readonly kind: 'subscription_ended'
  readonly subscriptionName: string
  /** `underway` is a payment that was sent to the bank before the subscription ended. The payment may still succeed. */
  readonly underway?: Amount | null
  readonly isDisputed?: boolean
}

export interface PaymentMethodMissingEmail {
  readonly kind: 'payment_method_missing'
  /** `disputed`: the payment method was removed after a dispute. `unsaved`: the first payment stored no method that can be charged again. */
  readonly cause: 'disputed' | 'unsaved'
  readonly subscriptionName: string
  readonly nextCharge: { readonly total: Amount; readonly at: string }
  readonly updateUrl: string
}

export interface TransferEmail {
  readonly kind: 'transfer_instructions'
  readonly isReminder: boolean
  readonly amount: Amount
  readonly until: string
  readonly transfer: TransferDetails
  readonly url: string
}

export type PurchaseUnpaidEmail = {
  readonly kind: 'purchase_unpaid'
  readonly isReminder: boolean
  readonly invoiceNumber: string
  readonly amount: Amount
  readonly until: string
  readonly url: string
}

export const memberEmailKinds = [
  'review_decided',
  'endpoint_disabled',
  'chargeback_received',
  'payout_created',
  'payout_returned',
  'payout_account_changed',
  'withdrawal_declared',
  'access_changed',
  'renewal_uncollectable',
] as const
export type MemberEmailKind = (typeof memberEmailKinds)[number]

export const signInEmailKinds = [
  'member_invitation',
  'password_reset',
  'passkey_added',
  'own_access_changed',
] as const satisfies readonly EmailKind[]

/** Notices to members contain no secrets, because emails may stay in a mailbox. */
export type MemberNotice =
  | {
      readonly kind: 'review_decided'
      readonly itemName: string
      readonly isUpdate: boolean
      readonly rejectionReason: string | null
    }
  | {
      readonly kind: 'endpoint_disabled'
      /**
       * The host name of the endpoint's URL. The path and the parameters are left out, because they can contain a
       * secret.
       */
      readonly host: string
    }
  | {
      readonly kind: 'chargeback_received'
      readonly invoiceNumber: string
      readonly amount: Amount
      readonly reason: string
      /** Whether an operator must review the disputed amount, because it exceeds the order total. */
      readonly needsReview: boolean
      /**
       * `taken` is the disputed part of the order. `deducted` is the amount deducted from the balance: `taken` plus
       * `fee`. These fields are absent during a review, and in older emails.
       */
      readonly deducted?: Amount
      readonly taken?: Amount
      readonly fee?: Amount
      readonly respondBy?: string
      readonly isEvidenceRefused?: true
      /** True if the evidence was not sent, because the key that encrypted it is not configured. */
      readonly isEvidenceUnreadable?: true
    }
  | {
      readonly kind: 'withdrawal_declared'
      readonly number: string
      readonly items?: readonly WithdrawnItem[]
      readonly reducedSubscriptions?: WithdrawalReceivedEmail['reducedSubscriptions']
      readonly endedSubscriptions: readonly string[]
      readonly underway?: Amount | null
      /** True or absent if the order was paid. The email then says that the order's page proposes a refund. */
      readonly isPrepared?: boolean
      readonly later?: Amount | null
      readonly underwayWithUnits?: Amount | null
    }
  /** This email says that a payment has arrived that was pending when the buyer withdrew. */
  | {
      readonly kind: 'withdrawal_declared'
      readonly number: string
      readonly arrived: Amount
      readonly invoiceNumber: string
      readonly isOfUnits?: boolean
    }
  | {
      readonly kind: 'renewal_uncollectable'
      readonly subscriptionName: string
      readonly amount: Amount
      readonly dueAt: string
      /** `method` is null if the first payment stored no method that can be charged again. */
      readonly method: PaymentMethod | null
      /**
       * `least` or `most`: the amount of the charge is below or above `limit`. `all`: the provider makes no charge by this method. `unsaved`: the subscription
       * has no method, and an email has asked the customer for a method.
       */
      readonly broken: 'least' | 'most' | 'all' | 'unsaved'
      readonly limit: Amount | null
    }
  | { readonly kind: 'payout_created'; readonly amount: Amount; readonly reference: string | null }
  | { readonly kind: 'payout_returned'; readonly amount: Amount }
  | {
      readonly kind: 'payout_account_changed'
      readonly account: string
      /** The time from which payouts use the new account. */
      readonly validFrom: string
    }
  | {
      readonly kind: 'access_changed'
      readonly by: string
      readonly change: AccessChange
      /**
       * The time from which payouts use the changed bank details. Set only if the removal or a new role of an owner
       * delayed this time.
       */
      readonly payoutsWaitUntil?: string
    }

export type AccessChange =
  | { readonly of: 'invited' | 'removed'; readonly email: string; readonly role: Role }
  | { readonly of: 'role'; readonly email: string; readonly from: Role; readonly to: Role }
  | { readonly of: 'keyIssued' | 'keyRotated'; readonly hint: string; readonly scope: KeyScope }

export type MemberEmail = MemberNotice & {
  readonly adminUrl: string
  /**
   * The time at which the recipient stopped being an owner. Set only for a former owner, who can no longer open
   * `adminUrl`.
   */
  readonly ownerUntil?: string
}

/** `storefrontName` is the merchant's name. The link is a secret. */
export interface InvitationEmail {
  readonly kind: 'member_invitation'
  readonly invitedBy: string
  readonly url: string
}

export interface PasswordResetEmail {
  readonly kind: 'password_reset'
  readonly url: string
}

/** This email warns the account holder, in case another person added the passkey. */
export interface PasskeyAddedEmail {
  readonly kind: 'passkey_added'
  readonly passkeyName: string
  readonly addedAt: string
  readonly url: string
}

/** This email warns the account holder, in case another person made the change. */
export interface OwnAccessEmail {
  readonly kind: 'own_access_changed'
  readonly change:
    | { readonly of: 'role'; readonly by: string; readonly from: Role; readonly to: Role }
    | { readonly of: 'removed'; readonly by: string }
    | { readonly of: 'passkeyRemoved'; readonly name: string; readonly url: string }
    | SignInChange
}

export type SignInChange =
  | { readonly of: 'passwordChanged' | 'secondFactorSetUp'; readonly at: string; readonly url: string }
  | { readonly of: 'secondFactorRemoved'; readonly at: string }
  | { readonly of: 'recoveryCodeUsed'; readonly at: string; readonly left: number; readonly url: string }
  | { readonly of: 'newBrowser'; readonly at: string; readonly address: string; readonly url: string }

/**
 * The content of an email is stored as JSON: times are ISO 8601, amounts are decimal strings. Stored content must stay readable, so fields are added, but
 * never removed or renamed. `compose` writes the text.
 */
export type EmailContent = Common &
  (
    | RecoveryEmail
    | PurchaseUnpaidEmail
    | PortalLinkEmail
    | CustomerLinkEmail
    | ReceiptEmail
    | ConfirmationEmail
    | ChargeNoticeEmail
    | RefundEmail
    | InvoiceCorrectedEmail
    | BillingUpdatedEmail
    | EmailChangeEmail
    | EmailChangedEmail
    | WithdrawalReceivedEmail
    | CancellationEmail
    | SubscriptionEndedEmail
    | PaymentMethodMissingEmail
    | TransferEmail
    | MemberEmail
    | InvitationEmail
    | PasswordResetEmail
    | PasskeyAddedEmail
    | OwnAccessEmail
  )

export type EmailKind = EmailContent['kind']

export interface Composed {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * `kept`: the email is stored but not sent, because no mail server is configured or the test-mode recipient is not
 * listed. `refused`: the mail server refused the email permanently. `suppressed`: the address is suppressed.
 * `unsupported`: the mail server does not support an address with non-ASCII letters. `unreadable`: the email was not
 * sent, because the key that encrypted it is not configured.
 */
export const emailStatuses = ['kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported', 'unreadable'] as const
export type EmailStatus = (typeof emailStatuses)[number]
