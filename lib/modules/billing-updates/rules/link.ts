import type { Duration } from '../../../kernel/calendar.ts'
import type { Amount } from '../../../kernel/money.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../form-links/rules/form-link.ts'
import type { BillingUpdateField, Waiting } from '../page.ts'

/** The charge at the time of saving. The page shows it for as long as the link can be used. */
interface Saved {
  readonly charged: Amount | null
  /** Periods that were due by then and are charged afterwards. */
  readonly waiting?: Waiting | null
}

export type BillingUpdateDraft = FormDraft<BillingUpdateField, Saved>

export interface BillingUpdateLink extends FormLink<BillingUpdateField, Saved> {
  readonly subscriptionId: string
  /** Null in an email: there is no shop page to return to. */
  readonly redirectUrlSuccess: string | null
  readonly redirectUrlCanceled: string | null
  /** The merchant's prefill in place of the stored details, blank for fields that it leaves out. */
  readonly billingAddress: Partial<BillingDetails> | null
}

/** A merchant's link lasts a day. A link in an email lasts until the recovery is over. */
export const linkLifetimes = { merchant: oneDay, email: { days: 8 } } as const satisfies Record<string, Duration>

export const newLink = (
  link: Pick<
    BillingUpdateLink,
    'id' | 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'
  >,
  lifetime: keyof typeof linkLifetimes,
  now: Date,
): BillingUpdateLink => ({ ...link, ...renewedLifetime(linkLifetimes[lifetime], now) })
