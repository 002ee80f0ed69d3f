import type { Amount, FieldProblem } from '../../checkouts/page.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { addDuration, type Duration } from '../../kernel/calendar.ts'
import { type BillingField, type BillingForm, billingFields } from '../page.ts'

/** What the buyer sent last: with what was wrong with it, or what came of it. */
export interface BillingDraft {
  readonly form: BillingForm
  readonly problems: Partial<Record<BillingField, FieldProblem>>
  /** How often something was saved by this link: a form that was shown before says a smaller number. */
  readonly saves: number
  /** Set once it is saved: a payment that was owed and is charged now, as it is shown. */
  readonly saved: { readonly charged: Amount | null } | null
}

/** A form that was sent twice: the second one must do nothing. */
export const isRepetition = ({ draft }: BillingLink, form: BillingForm, version: string | null): boolean =>
  draft !== null &&
  draft.saved !== null &&
  version !== String(draft.saves) &&
  billingFields.every((field) => draft.form[field] === form[field])

/** A buyer's way to a subscription's billing details, for a while. */
export interface BillingLink {
  readonly id: string
  readonly subscriptionId: string
  /** Null in a mail: there is no shop page to go to. */
  readonly redirectUrlSuccess: string | null
  readonly redirectUrlCanceled: string | null
  /** What the merchant prefills in place of what is stored, blank where it names nothing. */
  readonly billingAddress: Partial<BillingDetails> | null
  readonly draft: BillingDraft | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** A merchant's link lives a day; one in a mail until the recovery is over. */
export const linkLifetimes = { merchant: { hours: 24 }, mail: { days: 8 } } as const satisfies Record<string, Duration>

/** A link that can be used for its lifetime from now on. */
export function newLink(
  link: Pick<BillingLink, 'id' | 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'>,
  lifetime: keyof typeof linkLifetimes,
  now: Date,
): BillingLink {
  return { ...link, draft: null, expiresAt: addDuration(now, linkLifetimes[lifetime]) ?? now, createdAt: now }
}

export const isUsable = (link: BillingLink, now: Date): boolean => now < link.expiresAt
