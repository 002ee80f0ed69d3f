import type { BillingInterval } from '../../../kernel/calendar.ts'
// This file is longer than 300 lines because it is a list: one kind of email after the other.
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

/** A consumer's right of withdrawal: its items, its deadline, and whether the buyer asked for an earlier start. */
export interface EmailWithdrawal {
  readonly kind: WithdrawalKind
  readonly beginsAtOnce: boolean
  /** The last day of the right, as `2026-12-04`. Older emails have the moment `until` instead. */
  readonly lastDay?: string
  readonly until?: string
  /** The page where the buyer withdraws. Null if the buyer lost the right. */
  readonly url?: string | null
}

/**
 * The content of emails: the facts as of their cause, from which `compose` writes the words. It is stored as JSON, so
 * moments are ISO 8601 and amounts are decimals; a stored content must stay readable, so fields are only added.
 */

/** The company that sells. */
export type EmailSeller = Pick<SellerView, 'name' | 'addressLines' | 'country'> & Partial<Pick<SellerView, 'email'>>

interface Common {
  readonly storefrontName: string
  /** Absent in emails that were written before there were brands. */
  readonly brand?: EmailBrand
  readonly seller: EmailSeller
  /** The customer that the email is about, so that an erasure finds it. Null in an email to an operator or member. */
  readonly customerId: string | null
  readonly customerName: string | null
  /** The customer's (IANA), for dates. Null or absent if it is not known: then UTC. */
  readonly timeZone?: string | null
}

interface Charge {
  readonly subscriptionName: string
  /** The amount that was to be charged, with tax. */
  readonly amount: Amount
}

/** Periods that are charged as soon as a payment that had failed is made. */
interface Waiting {
  readonly count: number
  readonly total: Amount
}

export type RecoveryEmail = Charge &
  (
    | {
        /** A soft decline: the payment is retried automatically on that day. */
        readonly kind: 'payment_failed'
        readonly reason: FailureReason
        readonly nextAttemptAt: string
        /** Periods that are due by then and charged with it. */
        readonly waiting?: Waiting | null
        /** Set if the next attempt is a SEPA Direct Debit, which this email announces. */
        readonly directDebit?: DirectDebit | null
        readonly updateUrl: string
        /** Whether the order charged a change, which is undone without the payment. */
        readonly isOfChange: boolean
      }
    | {
        /**
         * A hard decline: without a new payment method the subscription ends at `endsAt`, or a change is undone. The third reminder
         * is the last.
         */
        readonly kind: 'payment_method_needed'
        readonly isOfChange: boolean
        readonly reason: FailureReason
        readonly endsAt: string
        readonly updateUrl: string
        readonly reminder: 1 | 2 | 3
      }
    /** The subscription ended, because the payment did not come. */
    | { readonly kind: 'canceled_for_nonpayment' }
    | {
        /** A change was undone because its payment failed. */
        readonly kind: 'change_undone'
        /** The end of the paid time that keeps the changed terms; null if the former terms are back. */
        readonly returnsAt: string | null
      }
  )

/** A link to the customer portal, which was asked for. */
export interface PortalLinkEmail {
  readonly kind: 'portal_link'
  readonly url: string
}

/** The link with which a new address is confirmed; it goes to that address. */
export interface EmailChangeEmail {
  readonly kind: 'email_change'
  readonly url: string
}

/** The address was changed. It goes to the former one, and leads nowhere. */
export interface EmailChangedEmail {
  readonly kind: 'email_changed'
  /** Of the new address. */
  readonly maskedEmail: string
  readonly changedAt: string
}

/** That a declaration of withdrawal was received, with its content and moment (Directive 2011/83/EU, art. 11a(4)). */
export interface WithdrawalReceivedEmail {
  readonly kind: 'withdrawal_received'
  readonly statement: string
  readonly name: string
  readonly email: string
  /** What identifies the contract. */
  readonly number: string
  readonly declaredAt: string
  /** Whether anything was paid for it. Absent in older emails: then it was. */
  readonly isPaid?: boolean
  /** Whether a service began at the buyer's request, so that a share may be kept. Absent in older emails: then it may. */
  readonly beginsAtOnce?: boolean
  readonly endedSubscriptions: readonly string[]
  /** Subscriptions that continue with fewer units. Absent in older emails. */
  readonly reducedSubscriptions?: readonly { readonly name: string; readonly quantity: number }[]
  /**
   * The payment on its way to the bank for the ended subscriptions, which may still be charged. Absent in older
   * emails.
   */
  readonly underway?: Amount | null
}

/** What a withdrawal is about of one line. */
export interface WithdrawnItem {
  readonly name: string
  readonly quantity: number
  /** The bought quantity; absent if all units are withdrawn. */
  readonly of?: number
}

/** An invoice or a credit note, as its email sums it up. */
export interface EmailDocument {
  readonly number: string
  /** Before tax. */
  readonly lines: readonly { readonly description: string; readonly quantity: number; readonly subtotal: Amount }[]
  readonly subtotal: Amount
  readonly taxes: readonly { readonly name: string; readonly percentage: number; readonly amount: Amount }[]
  readonly total: Amount
}

/** What was agreed on a subscription. */
export interface EmailSubscription {
  readonly name: string
  readonly quantity: number
  readonly every: BillingInterval
  /** Of a full interval, with tax where there is some. */
  readonly price: Amount
  readonly withTax: boolean
  readonly trialUntil: string | null
  /** Where it is charged by SEPA Direct Debit. */
  readonly directDebit?: DirectDebit | null
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** Of a payment that arrives after the end: it cannot be canceled any more. */
  readonly hasEnded?: boolean
}

/** An email about a purchase or a subscription, which leads to the page where the customer signs in. */
interface WithPortal {
  readonly portalUrl: string
}

/**
 * A payment arrived, of a purchase or of a subscription; its invoice is attached. `payment_recovered` is the receipt of
 * a payment that had failed before.
 */
export type ReceiptEmail = WithPortal & {
  readonly kind: 'receipt' | 'payment_recovered'
  readonly of: 'purchase' | 'subscription'
  readonly document: EmailDocument
  /** Of a payment that had failed: periods that waited for it and are charged now. */
  readonly waiting?: Waiting | null
  /** Of a purchase, it also confirms what was agreed. */
  readonly subscriptions: readonly EmailSubscription[]
  readonly termsUrl: string | null
  /** A consumer's right of withdrawal. */
  readonly withdrawal?: EmailWithdrawal | null
}

/** Money was returned, or charged back by the buyer's bank; its credit note is attached. */
export type RefundEmail = WithPortal & {
  readonly kind: 'refund'
  /** Absent for a refund. */
  readonly cause?: 'refund' | 'chargeback' | 'writtenOff'
  readonly document: EmailDocument
  /** The number of the invoice that the credit note refers to. */
  readonly invoiceNumber: string
}

/**
 * An invoice without tax (`document`, attached) replaces another: the credit note takes that back, and its tax goes back to
 * the buyer.
 */
export type InvoiceCorrectedEmail = WithPortal & {
  readonly kind: 'invoice_corrected'
  readonly document: EmailDocument
  /** The number of the invoice that is replaced. */
  readonly invoiceNumber: string
  readonly creditNoteNumber: string
  readonly tax: Amount
}

/** What was agreed at a purchase with which nothing was paid. */
export type ConfirmationEmail = WithPortal & {
  readonly kind: 'subscription_confirmation'
  readonly subscriptions: readonly EmailSubscription[]
  readonly termsUrl: string | null
  /** A consumer's right of withdrawal. */
  readonly withdrawal?: EmailWithdrawal | null
}

/**
 * Announces a charge: at the end of a trial, at a renewal after a year or more, by direct debit, or with an amount or
 * date that differs from an earlier announcement.
 */
export type ChargeNoticeEmail = WithPortal & {
  readonly kind: 'trial_ending' | 'renewal_notice' | 'debit_notice'
  readonly subscription: EmailSubscription
  readonly nextCharge: NonNullable<EmailSubscription['nextCharge']>
  /** The terms from this charge on, if they change. */
  readonly from?: EmailSubscription
  /** The charge that was announced before. */
  readonly insteadOf?: NonNullable<EmailSubscription['nextCharge']>
  /** Of another attempt: periods that are due by then and charged with it. */
  readonly waiting?: Waiting | null
}

/** A subscription was canceled, and runs until `endsAt`. */
export interface CancellationEmail extends WithPortal {
  readonly kind: 'cancellation'
  readonly subscriptionName: string
  readonly canceledAt: string
  readonly endsAt: string
  /** The billed and unpaid amount, which is still collected. */
  readonly unpaid?: EmailUnpaid | null
  /** Whether a payment of the subscription was disputed. */
  readonly isDisputed?: boolean
}

/** A payment that is billed and has not arrived. */
interface EmailUnpaid {
  readonly total: Amount
  /** The subscription ends earlier without it, at a moment that may not be known yet. */
  readonly endsEarlier: { readonly at: string | null } | null
  /** Whether the payment is for a change only, which is undone without it. */
  readonly isOfChange: boolean
}

/** Billing details or the payment method of a subscription were changed. It says that, and none of the details. */
export interface BillingUpdatedEmail extends WithPortal {
  readonly kind: 'billing_updated'
  readonly subscriptionName: string
  readonly hasNewDetails: boolean
  /** The new payment method, as its owner knows it; null if it stayed. */
  readonly newMethod: Pick<Mandate, 'method' | 'maskedIdentifier'> | null
  readonly changedAt: string
  /** The next charge, where it became another one than was announced. */
  readonly nextCharge?: {
    readonly total: Amount
    readonly at: string
    readonly insteadOf: Amount
  }
}

/** A subscription ended as it was asked for, at once or at the end of its period. */
export interface SubscriptionEndedEmail {
  readonly kind: 'subscription_ended'
  readonly subscriptionName: string
  /** The payment that was on its way to the bank at the end and may still be charged. */
  readonly underway?: Amount | null
  /** Whether a payment of the subscription was disputed. */
  readonly isDisputed?: boolean
}

/** A subscription continues without a payment method: its customer can add one at `updateUrl`. */
export interface PaymentMethodMissingEmail {
  readonly kind: 'payment_method_missing'
  /** A dispute ended the payment method, or the first payment left no method that can be charged again. */
  readonly cause: 'disputed' | 'unsaved'
  readonly subscriptionName: string
  readonly nextCharge: { readonly total: Amount; readonly at: string }
  readonly updateUrl: string
}

/** The bank details for the transfer of an order; sent again while the money has not arrived. */
export interface TransferEmail {
  readonly kind: 'transfer_instructions'
  readonly isReminder: boolean
  readonly amount: Amount
  /** After this time the order expires. */
  readonly until: string
  readonly transfer: TransferDetails
  /** The checkout's page, with the same details. */
  readonly url: string
}

/** The bank returned the direct debit of a purchase: the buyer is asked to pay it. */
export type PurchaseUnpaidEmail = {
  readonly kind: 'purchase_unpaid'
  readonly isReminder: boolean
  readonly invoiceNumber: string
  readonly amount: Amount
  /** After this moment the order is canceled. */
  readonly until: string
  /** The checkout's page, on which the buyer pays. */
  readonly url: string
}

/** The kinds that go to the members of a merchant, and not to a customer. */
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

/** The kinds about a person's own sign-in to the admin area. */
export const signInEmailKinds = [
  'member_invitation',
  'password_reset',
  'passkey_added',
  'own_access_changed',
] as const satisfies readonly EmailKind[]

/** Notices to the members of a merchant. They contain no secrets, because they may stay in a mailbox. */
export type MemberNotice =
  | {
      readonly kind: 'review_decided'
      readonly itemName: string
      /** The item is already sold, and its update was reviewed. */
      readonly isUpdate: boolean
      /** Why it was rejected; null if it was approved. */
      readonly rejectionReason: string | null
    }
  | {
      readonly kind: 'endpoint_disabled'
      /** Without path and parameters, which may hold a secret. */
      readonly host: string
    }
  | {
      readonly kind: 'chargeback_received'
      readonly invoiceNumber: string
      readonly amount: Amount
      readonly reason: string
      /** The disputed amount exceeds the sold amount: no amount is taken before a review. */
      readonly needsReview: boolean
    }
  | {
      readonly kind: 'withdrawal_declared'
      readonly number: string
      /** The withdrawn items. Absent for the whole contract. */
      readonly items?: readonly WithdrawnItem[]
      readonly reducedSubscriptions?: WithdrawalReceivedEmail['reducedSubscriptions']
      readonly endedSubscriptions: readonly string[]
      readonly underway?: Amount | null
      /** Whether its order was paid, so that the refund is prepared there. Absent if it was paid. */
      readonly isPrepared?: boolean
      /** Later payments for the subscriptions that the order began. */
      readonly later?: Amount | null
      /** Payments on their way for subscriptions that continue with fewer units. */
      readonly underwayWithUnits?: Amount | null
    }
  /** A payment that was on its way when a buyer withdrew has arrived. */
  | {
      readonly kind: 'withdrawal_declared'
      readonly number: string
      readonly arrived: Amount
      readonly invoiceNumber: string
      /** The subscription continues with other units: only what was paid for those withdrawn from is to be refunded. */
      readonly isOfUnits?: boolean
    }
  /** The charge of a coming renewal cannot be collected. */
  | {
      readonly kind: 'renewal_uncollectable'
      readonly subscriptionName: string
      readonly amount: Amount
      readonly dueAt: string
      /** Null where the first payment left no payment method. */
      readonly method: PaymentMethod | null
      /**
       * Which limit the charge breaks; `all`: the provider charges nothing by this method; `unsaved`: there is no method, and the customer
       * was asked for one.
       */
      readonly broken: 'least' | 'most' | 'all' | 'unsaved'
      readonly limit: Amount | null
    }
  | { readonly kind: 'payout_created'; readonly amount: Amount; readonly reference: string | null }
  /** The bank sent a payout back: the amount is in the balance again. */
  | { readonly kind: 'payout_returned'; readonly amount: Amount }
  | {
      readonly kind: 'payout_account_changed'
      /** Masked account number. */
      readonly account: string
      /** End of the waiting time: later payouts go to this account. */
      readonly validFrom: string
    }
  | {
      readonly kind: 'access_changed'
      /** The address of a member, or the name of the seller. */
      readonly by: string
      readonly change: AccessChange
      /** The time from which changed bank details are used, if a removed owner delayed it. */
      readonly payoutsWaitUntil?: string
    }

/** Who or what got access to a merchant's storefronts, or lost it. */
export type AccessChange =
  | { readonly of: 'invited' | 'removed'; readonly email: string; readonly role: Role }
  | { readonly of: 'role'; readonly email: string; readonly from: Role; readonly to: Role }
  /** `hint`: the first characters of the new key. */
  | { readonly of: 'keyIssued' | 'keyRotated'; readonly hint: string; readonly scope: KeyScope }

/** An email to a member of a merchant, which leads to the page of the admin area. */
export type MemberEmail = MemberNotice & {
  readonly adminUrl: string
  /** The reader was an owner until then, and can no longer open the page. */
  readonly ownerUntil?: string
}

/** An invitation to become a member of a merchant, whose name stands for the shop's. Its link is a secret. */
export interface InvitationEmail {
  readonly kind: 'member_invitation'
  readonly invitedBy: string
  readonly url: string
}

/** A link with which its reader sets a new password. It is a secret. */
export interface PasswordResetEmail {
  readonly kind: 'password_reset'
  readonly url: string
}

/** What protects a person of the admin area from a passkey that somebody else adds. */
export interface PasskeyAddedEmail {
  readonly kind: 'passkey_added'
  readonly passkeyName: string
  readonly addedAt: string
  readonly url: string
}

/** What protects a person of the admin area from a change of their own access that somebody else makes. */
export interface OwnAccessEmail {
  readonly kind: 'own_access_changed'
  readonly change:
    | { readonly of: 'role'; readonly by: string; readonly from: Role; readonly to: Role }
    | { readonly of: 'removed'; readonly by: string }
    | { readonly of: 'passkeyRemoved'; readonly name: string; readonly url: string }
    | SignInChange
}

/** A change of a person's own sign-in, and the page on which the person can act against it. */
export type SignInChange =
  | { readonly of: 'passwordChanged' | 'secondFactorSetUp'; readonly at: string; readonly url: string }
  /** The owner of the account can no longer sign in: the next sign-in sets up a new second factor. */
  | { readonly of: 'secondFactorRemoved'; readonly at: string }
  /** `left`: how many recovery codes are unused. */
  | { readonly of: 'recoveryCodeUsed'; readonly at: string; readonly left: number; readonly url: string }
  /** In a browser with which nobody has signed in to the account before. `address`: on the network. */
  | { readonly of: 'newBrowser'; readonly at: string; readonly address: string; readonly url: string }

/** The content of an email. `compose` writes the text. */
export type EmailContent = Common &
  (
    | RecoveryEmail
    | PurchaseUnpaidEmail
    | PortalLinkEmail
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

/** An email as it is read. */
export interface Composed {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * `kept` where no mail server is set, or where an email of test mode may not be sent; `refused` when the server will
 * never deliver it; `suppressed` when its address gets no emails now; `unsupported` when the mail server cannot
 * write to an address with letters that are not ASCII.
 */
export const emailStatuses = ['kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported'] as const
export type EmailStatus = (typeof emailStatuses)[number]
