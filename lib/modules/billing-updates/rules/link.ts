import type { Duration } from '../../../kernel/calendar.ts'
import type { Amount } from '../../../kernel/money.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../form-links/rules/form-link.ts'
import type { BillingUpdateField, Waiting } from '../page.ts'

/** What was charged as it was saved, as it is shown: the page says the same for as long as the link can be used. */
interface Saved {
  /** What was outstanding. */
  readonly charged: Amount | null
  /** Periods that were due by then and follow it. */
  readonly waiting?: Waiting | null
}

export type BillingUpdateDraft = FormDraft<BillingUpdateField, Saved>

/** A link that opens a subscription's billing details to the buyer for a while. */
export interface BillingUpdateLink extends FormLink<BillingUpdateField, Saved> {
  readonly subscriptionId: string
  /** Null in an email: there is no shop page to go to. */
  readonly redirectUrlSuccess: string | null
  readonly redirectUrlCanceled: string | null
  /** The merchant's prefill in place of the stored details, blank for fields that it leaves out. */
  readonly billingAddress: Partial<BillingDetails> | null
}

/** A merchant's link lives a day; one in an email until the recovery is over. */
export const linkLifetimes = { merchant: oneDay, email: { days: 8 } } as const satisfies Record<string, Duration>

/** A link that can be used for its lifetime from now on. */
export const newLink = (
  link: Pick<
    BillingUpdateLink,
    'id' | 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'
  >,
  lifetime: keyof typeof linkLifetimes,
  now: Date,
): BillingUpdateLink => ({ ...link, ...renewedLifetime(linkLifetimes[lifetime], now) })
