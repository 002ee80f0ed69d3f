import type { Interval } from '../../kernel/calendar.ts'
import type { Amount } from '../../kernel/money.ts'
import type { DetailField } from '../billing-updates/page.ts'
import type { DetailsQuote, FieldProblem, HostedPage } from '../checkouts/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { ChangeBlock, Direction } from './rules/portal-change.ts'

export { feedbackReasons, longestComment } from '../subscriptions/rules/feedback.ts'

interface PlanOption {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly interval: Interval
  readonly intervalCount: number
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly isChosen: boolean
  readonly isArchived: boolean
}

export interface PortalSettingPage {
  readonly quantity: boolean
  readonly plans: readonly PlanOption[]
  readonly isOnHold: boolean
  readonly formKey: string
}

/** Amounts are decimal strings. Times are ISO 8601 in UTC. */

/** The customer must press a button, so that programs that follow links open no session. */
export type PortalLinkPage = HostedPage & {
  maskedEmail: string
  /** For a used or expired link, this form requests a new link by email. */
  submitUrl: string
  state: 'usable' | 'used' | 'expired'
}

export interface PortalEmailPage extends PortalFrame {
  submitUrl: string
  typed: string
  /** `busy`: the limit of requests is reached. */
  problem: 'invalid' | 'same' | 'busy' | null
  /** The last requested change, if its link can still be used. `until` is the expiry of the link. */
  waiting: { email: string; until: string } | null
}

/** The customer must press a button, so that programs that follow links change nothing. */
export type PortalEmailChangePage = HostedPage & {
  maskedEmail: string
  submitUrl: string
  /** `taken`: another customer of the storefront has the email address. */
  state: 'usable' | 'confirmed' | 'over' | 'taken'
  portalUrl: string
}

export type PortalSignInPage = HostedPage & {
  submitUrl: string
  typed: string
}

/** `signInUrl` leads to the storefront of the browser's last session. */
export interface PortalEnded extends HostedPage {
  signInUrl: string
}

export interface PortalFrame extends HostedPage {
  email: string
  /** The time zone of the customer's browser at the last purchase; null if unknown. */
  timeZone: string | null
  statementName: string | null
  returnUrl: string | null
}

export interface PortalSubscription {
  id: string
  url: string
  name: string
  quantity: number
  status: 'created' | 'trial' | 'active' | 'on_grace_period' | 'paused' | 'canceled'
  every: { interval: 'day' | 'week' | 'month' | 'year'; intervalCount: number }
  /** The price of a period. `unit` includes tax if `unitHasTax`. `total` includes tax. */
  price: { unit: Amount; unitHasTax: boolean; total: Amount; hasTax: boolean }
  startedAt: string | null
  /** The next charge, with tax, after the charges for outstanding orders and waiting periods. */
  nextCharge: { total: Amount; at: string } | null
  /** Whether a due period waits until the storefront can sell again. */
  renewalsWait: boolean
  waiting: { count: number; total: Amount } | null
  scheduled: { name: string; quantity: number; at: string } | null
  trialUntil: string | null
  endsAt: string | null
  mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
  /** Declined charges. `chargedAgainAt` is the time of the next automatic retry, or null. */
  due: { total: Amount; reason: FailureReason; chargedAgainAt: string | null } | null
  /** The outstanding payment plus the periods that are charged after it; null if no payment is outstanding. */
  toPay: Amount | null
  /** The billed amounts that are declined or pending. `endsEarlier.at` is the end of the subscription if nothing is paid; null if this time is unknown. */
  unpaid: { total: Amount; endsEarlier: { at: string | null } | null; isOfChange: boolean } | null
}

export interface PortalDocument {
  id: string
  kind: 'invoice' | 'creditNote'
  number: string
  issuedAt: string
  description: string
  total: Amount
  url: string
  pdfUrl: string
  xmlUrl: string | null
  isCorrectable: boolean
}

export interface PortalDocuments {
  documents: PortalDocument[]
  documentsSubmitUrl: string
  zipUrl: string | null
}

export const portalNotices = [
  'canceled',
  'resumed',
  'updated',
  'changed',
  'scheduled',
  'undone',
  'language',
  'emailSent',
  'unchanged',
] as const
export type PortalNotice = (typeof portalNotices)[number]

export interface PortalOverview extends PortalFrame, PortalDocuments {
  detailsUrl: string | null
  subscriptions: PortalSubscription[]
  withdrawals: { number: string; description: string; until: string; url: string }[]
  documentsUrl: string | null
}

export interface PortalSubscriptionPage extends PortalFrame, PortalDocuments {
  subscription: PortalSubscription
  documentsUrl: string | null
  cancelUrl: string | null
  resume: { nextCharge: { total: Amount; at: string } | null } | null
  canUpdate: boolean
  change: { url: string; of: 'quantity' | 'plan' | 'both' } | null
  undo: { scheduled: string; formKey: string } | null
  submitUrl: string
}

export interface PortalPlan {
  id: string
  name: string
  price: Amount
  hasTax: boolean
  every: PortalSubscription['every']
}

/** The amounts of the lines are without tax. */
export interface PortalQuote {
  lines: { description: string; subtotal: Amount }[]
  subtotal: Amount
  taxes: { name: string; percentage: number; amount: Amount }[]
  total: Amount
}

/** `amount`: the amount cannot be charged. `credit`: the credit for unused time exceeds the new charge. */
export type PortalChangeProblem =
  | 'quantity'
  | 'same'
  | 'planGone'
  | 'noMethod'
  | 'tooMany'
  | 'amount'
  | 'credit'
  | 'notNow'

export interface PortalChangePage extends PortalFrame {
  subscription: PortalSubscription
  country: string | null
  block: ChangeBlock | null
  mayChangeQuantity: boolean
  plans: PortalPlan[]
  values: { planId: string; quantity: string }
  problem: PortalChangeProblem | null
  /** Whether the form was refused because the displayed effect of the change was outdated. */
  isStale: boolean
  /** The effect of the choice; null before a choice, and for a refused choice. */
  preview: {
    direction: Direction
    item: { name: string; quantity: number }
    dueNow: PortalQuote | null
    nextRenewal: { total: Amount; at: string } | null
    terms: string
    formKey: string
  } | null
  /** The URL of the form. A GET with `plan` and `quantity` shows the preview. */
  url: string
  submitUrl: string
}

export interface PortalDetailsPage extends PortalFrame {
  form: Record<DetailField, string>
  problems: Partial<Record<DetailField, FieldProblem>>
  quote: DetailsQuote
  differ: boolean
  submitUrl: string
}

export interface PortalCancelPage extends PortalFrame {
  subscription: PortalSubscription
  /** The end of the subscription if the customer cancels now; null if the subscription then ends immediately. */
  endsAt: string | null
  submitUrl: string
}

export interface PortalDocumentsPage extends PortalFrame, PortalDocuments {
  /** Null if the page lists the documents of all subscriptions. */
  subscription: { name: string; url: string } | null
  olderUrl: string | null
  newestUrl: string | null
}
