import type { Amount } from '../../kernel/money.ts'
import type { HostedPage } from '../checkouts/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'

export { feedbackReasons, longestComment } from './rules/feedback.ts'

/** The input and output of the portal's pages. Amounts are decimal strings, moments ISO 8601 in UTC. */

/** The page behind a link: a button, so that a program that follows links opens no session. */
export type PortalLinkPage = HostedPage & {
  /** The customer's address, of which only parts are shown. */
  maskedEmail: string
  /** A plain POST; in the states `used` and `expired` it asks for a new link by email. */
  submitUrl: string
  state: 'usable' | 'used' | 'expired'
}

/** Where the session asks for another email address. */
export interface PortalEmailPage extends PortalFrame {
  submitUrl: string
  typed: string
  /** `busy`: it was asked for often enough. */
  problem: 'invalid' | 'same' | 'busy' | null
  /** The link that was asked for and not used yet: where it went, and until when it works. */
  waiting: { email: string; until: string } | null
}

/** The page behind the link to a new address: a button, so that a program that follows links changes nothing. */
export type PortalEmailChangePage = HostedPage & {
  /** The new address, of which only parts are shown. */
  maskedEmail: string
  submitUrl: string
  /** `taken`: another customer of the storefront has the address by now. */
  state: 'usable' | 'confirmed' | 'over' | 'taken'
  /** Where the customer's purchases are. */
  portalUrl: string
}

/** Where a customer without a link asks for one. */
export type PortalSignInPage = HostedPage & {
  submitUrl: string
  /** The address that was refused. */
  typed: string
}

/** Without an open session: where to ask for a link, if the browser's last session is known. */
export interface PortalEnded extends HostedPage {
  signInUrl: string
}

/** What every page of an open session shows. */
export interface PortalFrame extends HostedPage {
  email: string
  /** The merchant's page to return to; null without one. */
  returnUrl: string | null
}

export interface PortalSubscription {
  id: string
  /** The page of the subscription. */
  url: string
  name: string
  quantity: number
  status: 'created' | 'trial' | 'active' | 'on_grace_period' | 'paused' | 'canceled'
  every: { interval: 'day' | 'week' | 'month' | 'year'; intervalCount: number }
  /** With tax, after what is outstanding and what waits for that; null when none is due. */
  nextCharge: { total: Amount; at: string } | null
  /** The next period is due, and waits until the storefront sells again: when it is charged is not known. */
  renewalsWait: boolean
  /** Periods that are due by now and follow as soon as an outstanding payment is made. */
  waiting: { count: number; total: Amount } | null
  /** What is charged from the next renewal on, where another plan or quantity is scheduled. */
  scheduled: { name: string; quantity: number; at: string } | null
  trialUntil: string | null
  /** When a canceled subscription ends or ended. */
  endsAt: string | null
  mandate: { method: 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'; maskedIdentifier: string } | null
  /** Declined and not paid since; when the first of it is charged again, if it is without the customer. */
  due: { total: Amount; reason: FailureReason; chargedAgainAt: string | null } | null
  /** What is declined, together with the periods that follow it. */
  toPay: Amount | null
  /** Billed and not paid yet, declined or on its way; without it the subscription may end earlier, at a moment if one is known. */
  unpaid: { total: Amount; endsEarlier: { at: string | null } | null; isOfChange: boolean } | null
}

export interface PortalDocument {
  kind: 'invoice' | 'creditNote'
  number: string
  issuedAt: string
  description: string
  total: Amount
  url: string
  pdfUrl: string
  /** As an electronic invoice; null where there is none. */
  xmlUrl: string | null
}

/** What the last form did; shown once on the page that it leads to. */
export const portalNotices = ['canceled', 'resumed', 'updated', 'language', 'emailSent', 'unchanged'] as const
export type PortalNotice = (typeof portalNotices)[number]

export interface PortalOverview extends PortalFrame {
  subscriptions: PortalSubscription[]
  /** The contracts that the customer may withdraw from now. */
  withdrawals: { number: string; description: string; until: string; url: string }[]
  documents: PortalDocument[]
  /** All documents; null if they are all here. */
  documentsUrl: string | null
}

export interface PortalSubscriptionPage extends PortalFrame {
  subscription: PortalSubscription
  /** Null where it is not possible. */
  cancelUrl: string | null
  /** What withdrawing the cancellation does; null where it is not possible. */
  resume: { nextCharge: { total: Amount; at: string } | null } | null
  canUpdate: boolean
  submitUrl: string
}

export interface PortalCancelPage extends PortalFrame {
  subscription: PortalSubscription
  /** When it would end; null: at once. */
  endsAt: string | null
  submitUrl: string
}

export interface PortalDocumentsPage extends PortalFrame {
  documents: PortalDocument[]
  olderUrl: string | null
  newestUrl: string | null
  zipUrl: string
}
