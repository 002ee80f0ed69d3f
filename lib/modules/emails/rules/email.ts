import type { BillingInterval } from '../../../kernel/calendar.ts'
// This file is longer than 300 lines because it is a list of all emails.
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
  /** As `2026-12-04`. Older emails have the moment `until` instead. */
  readonly lastDay?: string
  readonly until?: string
  /** Null if the buyer lost the right. */
  readonly url?: string | null
}

/**
 * The facts at the time of an email's cause; `compose` writes the words. Stored as JSON: times are ISO 8601, amounts
 * are decimals. Stored content must stay readable, so fields are only added.
 */

export type EmailSeller = Pick<SellerView, 'name' | 'addressLines' | 'country'> & Partial<Pick<SellerView, 'email'>>

interface Common {
  readonly storefrontName: string
  /** Absent in emails that are older than brands. */
  readonly brand?: EmailBrand
  readonly seller: EmailSeller
  /** For an erasure. Null in an email to an operator or member. */
  readonly customerId: string | null
  readonly customerName: string | null
  /** Set if the email goes to the customer's own address. Its link then opens the portal without another email. */
  readonly opensPortal?: boolean
  /** The customer's time zone (IANA), for dates. Null or absent means UTC. */
  readonly timeZone?: string | null
}

interface Charge {
  readonly subscriptionName: string
  /** The amount that was to be charged, with tax. */
  readonly amount: Amount
}

/** Periods that are charged as soon as a failed payment is paid. */
interface Waiting {
  readonly count: number
  readonly total: Amount
}

export type RecoveryEmail = Charge &
  (
    | {
        /** A soft decline: the payment is retried automatically on the day below. */
        readonly kind: 'payment_failed'
        readonly reason: FailureReason
        readonly nextAttemptAt: string
        /** Periods that are due by the next attempt and charged with it. */
        readonly waiting?: Waiting | null
        /** Set if the next attempt is a SEPA Direct Debit, which this email announces. */
        readonly directDebit?: DirectDebit | null
        readonly updateUrl: string
        /** Whether the order charged a change, which is undone without the payment. */
        readonly isOfChange: boolean
      }
    | {
        /** Without a new method the subscription ends at `endsAt`, or a change is undone. Reminder 3 is the last. */
        readonly kind: 'payment_method_needed'
        readonly isOfChange: boolean
        readonly reason: FailureReason
        readonly endsAt: string
        readonly updateUrl: string
        readonly reminder: 1 | 2 | 3
      }
    | { readonly kind: 'canceled_for_nonpayment' }
    | {
        /** A change was undone because its payment failed. */
        readonly kind: 'change_undone'
        /** The end of the paid time that keeps the changed terms; null if the former terms are back. */
        readonly returnsAt: string | null
      }
  )

export interface PortalLinkEmail {
  readonly kind: 'portal_link'
  readonly url: string
}

/** What a link that a member sends opens. `invoice` lets the customer correct the details on the invoice. */
export const customerLinks = ['portal', 'payment_method', 'invoice'] as const
export type CustomerLink = (typeof customerLinks)[number]

/** A link that a member of the merchant sends to the customer. */
export interface CustomerLinkEmail {
  readonly kind: 'customer_link'
  readonly link: CustomerLink
  /** The name of the subscription, or the number of the invoice. Empty for the portal. */
  readonly about: string
  readonly url: string
}

/** The link that confirms a new address. The email goes to the new address. */
export interface EmailChangeEmail {
  readonly kind: 'email_change'
  readonly url: string
}

/** The email goes to the former address and has no link. */
export interface EmailChangedEmail {
  readonly kind: 'email_changed'
  /** The new address, masked. */
  readonly maskedEmail: string
  readonly changedAt: string
}

/** Confirms a declaration of withdrawal, with its content and time (Directive 2011/83/EU, art. 11a(4)). */
export interface WithdrawalReceivedEmail {
  readonly kind: 'withdrawal_received'
  readonly statement: string
  readonly name: string
  readonly email: string
  readonly number: string
  readonly declaredAt: string
  /** Whether the order was paid. Absent in older emails: it was paid. */
  readonly isPaid?: boolean
  /** A service began at the buyer's request, so the merchant may keep a share. Absent in older emails: yes. */
  readonly beginsAtOnce?: boolean
  readonly endedSubscriptions: readonly string[]
  /** Subscriptions that continue with fewer units. Absent in older emails. */
  readonly reducedSubscriptions?: readonly { readonly name: string; readonly quantity: number }[]
  /** An open payment for the ended subscriptions that may still be charged. Absent in older emails. */
  readonly underway?: Amount | null
}

export interface WithdrawnItem {
  readonly name: string
  readonly quantity: number
  /** The bought quantity; absent if all units are withdrawn. */
  readonly of?: number
}

export interface EmailDocument {
  readonly number: string
  /** Before tax. */
  readonly lines: readonly { readonly description: string; readonly quantity: number; readonly subtotal: Amount }[]
  readonly subtotal: Amount
  readonly taxes: readonly { readonly name: string; readonly percentage: number; readonly amount: Amount }[]
  readonly total: Amount
}

export interface EmailSubscription {
  readonly name: string
  readonly quantity: number
  readonly every: BillingInterval
  /** The price of a full interval, with tax if there is tax. */
  readonly price: Amount
  readonly withTax: boolean
  readonly trialUntil: string | null
  readonly directDebit?: DirectDebit | null
  readonly nextCharge: { readonly total: Amount; readonly at: string } | null
  /** Whether the payment arrived after the end, so that the subscription can no longer be canceled. */
  readonly hasEnded?: boolean
}

/** An email about a purchase or a subscription, with a link to the portal. */
interface WithPortal {
  /** The personal link of the email, or the page where a reader with another address signs in. */
  readonly portalUrl: string
}

/** The invoice is attached. `payment_recovered` is the receipt of a payment that had failed before. */
export type ReceiptEmail = WithPortal & {
  readonly kind: 'receipt' | 'payment_recovered'
  readonly of: 'purchase' | 'subscription'
  /** The seller's name on the bank statement; absent if the seller states none. */
  readonly statementName?: string | null
  readonly document: EmailDocument
  /** For a payment that had failed: the periods that waited for it and are charged now. */
  readonly waiting?: Waiting | null
  /** For a purchase, the email also confirms the agreed terms. */
  readonly subscriptions: readonly EmailSubscription[]
  readonly termsUrl: string | null
  readonly withdrawal?: EmailWithdrawal | null
}

/** A refund, or a dispute at the buyer's bank, returned money. The credit note is attached. */
export type RefundEmail = WithPortal & {
  readonly kind: 'refund'
  /** Absent for a refund. */
  readonly cause?: 'refund' | 'chargeback' | 'writtenOff'
  readonly document: EmailDocument
  readonly invoiceNumber: string
}

/** An invoice without tax (`document`, attached) replaces another invoice. The buyer gets the tax back. */
export type InvoiceCorrectedEmail = WithPortal & {
  readonly kind: 'invoice_corrected'
  readonly document: EmailDocument
  readonly invoiceNumber: string
  readonly creditNoteNumber: string
  readonly tax: Amount
}

/** Confirms the terms of a purchase without a payment. */
export type ConfirmationEmail = WithPortal & {
  readonly kind: 'subscription_confirmation'
  readonly subscriptions: readonly EmailSubscription[]
  readonly termsUrl: string | null
  readonly withdrawal?: EmailWithdrawal | null
}

/** A charge after a trial or a year, by direct debit, or with another amount or date than announced before. */
export type ChargeNoticeEmail = WithPortal & {
  readonly kind: 'trial_ending' | 'renewal_notice' | 'debit_notice'
  readonly subscription: EmailSubscription
  readonly nextCharge: NonNullable<EmailSubscription['nextCharge']>
  /** The terms from this charge, if they change. */
  readonly from?: EmailSubscription
  readonly insteadOf?: NonNullable<EmailSubscription['nextCharge']>
  /** For another attempt: periods that are due by then and charged with it. */
  readonly waiting?: Waiting | null
}

export interface CancellationEmail extends WithPortal {
  readonly kind: 'cancellation'
  readonly subscriptionName: string
  readonly canceledAt: string
  readonly endsAt: string
  /** The billed and unpaid amount, which is still collected. */
  readonly unpaid?: EmailUnpaid | null
  readonly isDisputed?: boolean
}

interface EmailUnpaid {
  readonly total: Amount
  /** Set if the subscription ends earlier without the payment. The time may be unknown. */
  readonly endsEarlier: { readonly at: string | null } | null
  /** Whether the payment is for a change only, which is undone without it. */
  readonly isOfChange: boolean
}

/** States which details changed, and shows none. */
export interface BillingUpdatedEmail extends WithPortal {
  readonly kind: 'billing_updated'
  readonly subscriptionName: string
  readonly hasNewDetails: boolean
  /** The new payment method, masked; null if it did not change. */
  readonly newMethod: Pick<Mandate, 'method' | 'maskedIdentifier'> | null
  readonly changedAt: string
  /** The next charge, if it differs from the announced charge. */
  readonly nextCharge?: {
    readonly total: Amount
    readonly at: string
    readonly insteadOf: Amount
  }
}

export interface SubscriptionEndedEmail {
  readonly kind: 'subscription_ended'
  readonly subscriptionName: string
  /** The payment that was on its way to the bank at the end and may still be charged. */
  readonly underway?: Amount | null
  readonly isDisputed?: boolean
}

/** A subscription continues without a payment method. Its customer can add a method at `updateUrl`. */
export interface PaymentMethodMissingEmail {
  readonly kind: 'payment_method_missing'
  /** A dispute ended the payment method, or the first payment left no method that can be charged again. */
  readonly cause: 'disputed' | 'unsaved'
  readonly subscriptionName: string
  readonly nextCharge: { readonly total: Amount; readonly at: string }
  readonly updateUrl: string
}

/** Sent again while the money has not arrived. */
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

/** Notices to the members of a merchant. They contain no secrets, because they may stay in a mailbox. */
export type MemberNotice =
  | {
      readonly kind: 'review_decided'
      readonly itemName: string
      readonly isUpdate: boolean
      readonly rejectionReason: string | null
    }
  | {
      readonly kind: 'endpoint_disabled'
      /** The host, without path and parameters, which may contain a secret. */
      readonly host: string
    }
  | {
      readonly kind: 'chargeback_received'
      readonly invoiceNumber: string
      readonly amount: Amount
      readonly reason: string
      /** Whether the disputed amount exceeds the sold amount, so that a review must come first. */
      readonly needsReview: boolean
      /** What the balance is lowered by: the disputed part of the order, and the fee. Absent in a review, and in older emails. */
      readonly deducted?: Amount
      readonly taken?: Amount
      readonly fee?: Amount
      /** The deadline for evidence, if the provider has one. */
      readonly respondBy?: string
      /** Set if the provider did not take the merchant's evidence. */
      readonly isEvidenceRefused?: true
    }
  | {
      readonly kind: 'withdrawal_declared'
      readonly number: string
      /** Absent for the whole contract. */
      readonly items?: readonly WithdrawnItem[]
      readonly reducedSubscriptions?: WithdrawalReceivedEmail['reducedSubscriptions']
      readonly endedSubscriptions: readonly string[]
      readonly underway?: Amount | null
      /** If paid, a refund is prepared. Absent if it was paid. */
      readonly isPrepared?: boolean
      /** Later payments for subscriptions of the order. */
      readonly later?: Amount | null
      /** Payments on their way for subscriptions that continue with fewer units. */
      readonly underwayWithUnits?: Amount | null
    }
  /** A payment arrived that was on its way when the buyer withdrew. */
  | {
      readonly kind: 'withdrawal_declared'
      readonly number: string
      readonly arrived: Amount
      readonly invoiceNumber: string
      /** Whether the subscription continues with other units, so that only the withdrawn units are refunded. */
      readonly isOfUnits?: boolean
    }
  /** The charge of a coming renewal cannot be collected. */
  | {
      readonly kind: 'renewal_uncollectable'
      readonly subscriptionName: string
      readonly amount: Amount
      readonly dueAt: string
      /** Null if the first payment left no payment method. */
      readonly method: PaymentMethod | null
      /**
       * The limit that the charge exceeds. `all`: the provider charges nothing by this method. `unsaved`: there is no
       * method, and the customer was asked for one.
       */
      readonly broken: 'least' | 'most' | 'all' | 'unsaved'
      readonly limit: Amount | null
    }
  | { readonly kind: 'payout_created'; readonly amount: Amount; readonly reference: string | null }
  | { readonly kind: 'payout_returned'; readonly amount: Amount }
  | {
      readonly kind: 'payout_account_changed'
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

export type AccessChange =
  | { readonly of: 'invited' | 'removed'; readonly email: string; readonly role: Role }
  | { readonly of: 'role'; readonly email: string; readonly from: Role; readonly to: Role }
  /** `hint`: the first characters of the new key. */
  | { readonly of: 'keyIssued' | 'keyRotated'; readonly hint: string; readonly scope: KeyScope }

/** An email to a member of a merchant, with a link to a page of the admin area. */
export type MemberEmail = MemberNotice & {
  readonly adminUrl: string
  /** Until when the reader was an owner. The reader can no longer open the page. */
  readonly ownerUntil?: string
}

/** An invitation to become a member of a merchant, whose name replaces the shop's. Its link is a secret. */
export interface InvitationEmail {
  readonly kind: 'member_invitation'
  readonly invitedBy: string
  readonly url: string
}

export interface PasswordResetEmail {
  readonly kind: 'password_reset'
  readonly url: string
}

/** Warns a person of the admin area, in case somebody else added the passkey. */
export interface PasskeyAddedEmail {
  readonly kind: 'passkey_added'
  readonly passkeyName: string
  readonly addedAt: string
  readonly url: string
}

/** Warns a person of the admin area, in case somebody else made the change. */
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
  /** The owner of the account can no longer log in: the next log-in sets up a new second factor. */
  | { readonly of: 'secondFactorRemoved'; readonly at: string }
  /** `left`: how many recovery codes are unused. */
  | { readonly of: 'recoveryCodeUsed'; readonly at: string; readonly left: number; readonly url: string }
  /** A log-in in a browser that is new for the account. `address`: its network address. */
  | { readonly of: 'newBrowser'; readonly at: string; readonly address: string; readonly url: string }

/** The content of an email. `compose` writes the text. */
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

/** The composed text of an email. */
export interface Composed {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * `kept`: no mail server is set, or the email of test mode may not be sent. `refused`: the server will never deliver
 * it. `suppressed`: its address gets no emails now. `unsupported`: the mail server cannot write to an address with
 * letters that are not ASCII.
 */
export const emailStatuses = ['kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported'] as const
export type EmailStatus = (typeof emailStatuses)[number]
