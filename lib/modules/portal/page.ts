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

/** Amounts are decimal strings, times ISO 8601 in UTC. */

/** The page has a button, so that programs that follow links open no session. */
export type PortalLinkPage = HostedPage & {
  maskedEmail: string
  /** The target of the POST. In the states `used` and `expired` the form requests a new link by email. */
  submitUrl: string
  state: 'usable' | 'used' | 'expired'
}

export interface PortalEmailPage extends PortalFrame {
  submitUrl: string
  typed: string
  /** `busy`: the limit of requests is reached. */
  problem: 'invalid' | 'same' | 'busy' | null
  /** The unused link of the last request: its recipient, and the time at which it expires. */
  waiting: { email: string; until: string } | null
}

/** The page has a button, so that programs that follow links change nothing. */
export type PortalEmailChangePage = HostedPage & {
  maskedEmail: string
  submitUrl: string
  /** `taken`: another customer of the storefront has the address by now. */
  state: 'usable' | 'confirmed' | 'over' | 'taken'
  portalUrl: string
}

export type PortalSignInPage = HostedPage & {
  submitUrl: string
  typed: string
}

/** The page without an open session. `signInUrl` is known if the browser's last session is known. */
export interface PortalEnded extends HostedPage {
  signInUrl: string
}

export interface PortalFrame extends HostedPage {
  email: string
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
  /** The price of a period: per unit, with or without tax as the plan states, and in total with tax. */
  price: { unit: Amount; unitHasTax: boolean; total: Amount; hasTax: boolean }
  startedAt: string | null
  /** With tax, after outstanding and waiting charges. */
  nextCharge: { total: Amount; at: string } | null
  /** Whether the next period is due but waits until the storefront sells again, at an unknown time. */
  renewalsWait: boolean
  /** Due periods that are charged as soon as an outstanding payment succeeds. */
  waiting: { count: number; total: Amount } | null
  scheduled: { name: string; quantity: number; at: string } | null
  trialUntil: string | null
  /** When a canceled subscription ends or ended. */
  endsAt: string | null
  mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
  /** Declined charges that are still unpaid. `chargedAgainAt`: the next automatic retry, or null. */
  due: { total: Amount; reason: FailureReason; chargedAgainAt: string | null } | null
  /** The declined amount plus the waiting periods. */
  toPay: Amount | null
  /** Billed and unpaid amounts, declined or pending. Without payment the subscription may end earlier, at a time if known. */
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
  /** Whether the customer can correct name, address, and tax ID: not on an invoice that another one replaced. */
  isCorrectable: boolean
}

export interface PortalDocuments {
  documents: PortalDocument[]
  documentsSubmitUrl: string
  /** The documents as one file. Null for fewer than two documents. */
  zipUrl: string | null
}

/** The result of the last form, shown once on the next page. */
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
  /** The contracts that the customer may withdraw from now. */
  withdrawals: { number: string; description: string; until: string; url: string }[]
  /** The page with all documents. Null if this page lists all of them. */
  documentsUrl: string | null
}

export interface PortalSubscriptionPage extends PortalFrame, PortalDocuments {
  subscription: PortalSubscription
  documentsUrl: string | null
  cancelUrl: string | null
  /** The effect of resuming a canceled subscription. Null if resuming is not possible. */
  resume: { nextCharge: { total: Amount; at: string } | null } | null
  canUpdate: boolean
  /** The page that changes plan and quantity, and what the storefront allows there. Null if it allows nothing. */
  change: { url: string; of: 'quantity' | 'plan' | 'both' } | null
  /** The form that withdraws the scheduled plan or quantity. Null if the customer cannot withdraw it. */
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

/** The charge for a change. Amounts of lines are without tax. */
export interface PortalQuote {
  lines: { description: string; subtotal: Amount }[]
  subtotal: Amount
  taxes: { name: string; percentage: number; amount: Amount }[]
  total: Amount
}

/** `amount`: the amount cannot be charged. `credit`: the unused time is worth more than the new charge. */
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
  /** Whether a form was not accepted because its effect had changed. */
  isStale: boolean
  /** The effect of the choice. Null before a choice, and if it is refused. */
  preview: {
    direction: Direction
    item: { name: string; quantity: number }
    dueNow: PortalQuote | null
    nextRenewal: { total: Amount; at: string } | null
    terms: string
    formKey: string
  } | null
  /** A GET with `plan` and `quantity` shows the preview. */
  url: string
  submitUrl: string
}

export interface PortalDetailsPage extends PortalFrame {
  form: Record<DetailField, string>
  problems: Partial<Record<DetailField, FieldProblem>>
  /** The effect of the tax ID on the tax, and the details that an invoice needs. */
  quote: DetailsQuote
  /** Whether the subscriptions have different details now. */
  differ: boolean
  submitUrl: string
}

export interface PortalCancelPage extends PortalFrame {
  subscription: PortalSubscription
  /** The end after a cancellation. Null: at once. */
  endsAt: string | null
  submitUrl: string
}

export interface PortalDocumentsPage extends PortalFrame, PortalDocuments {
  /** The subscription whose documents the page lists. Null for all documents of the customer. */
  subscription: { name: string; url: string } | null
  olderUrl: string | null
  newestUrl: string | null
}
