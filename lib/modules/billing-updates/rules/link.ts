import type { Duration } from '../../../kernel/calendar.ts'
import type { Amount } from '../../checkouts/page.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { BillingUpdateField } from '../page.ts'
import { type FormDraft, type FormLink, oneDay, renewedLifetime } from './form-link.ts'

/** A payment that was owed and is charged now, as it is shown. */
interface Saved {
  readonly charged: Amount | null
}

export type BillingUpdateDraft = FormDraft<BillingUpdateField, Saved>

/** A buyer's way to a subscription's billing details, for a while. */
export interface BillingUpdateLink extends FormLink<BillingUpdateField, Saved> {
  readonly subscriptionId: string
  /** Null in a mail: there is no shop page to go to. */
  readonly redirectUrlSuccess: string | null
  readonly redirectUrlCanceled: string | null
  /** What the merchant prefills in place of what is stored, blank where it names nothing. */
  readonly billingAddress: Partial<BillingDetails> | null
}

/** A merchant's link lives a day; one in a mail until the recovery is over. */
export const linkLifetimes = { merchant: oneDay, mail: { days: 8 } } as const satisfies Record<string, Duration>

/** A link that can be used for its lifetime from now on. */
export const newLink = (
  link: Pick<
    BillingUpdateLink,
    'id' | 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'
  >,
  lifetime: keyof typeof linkLifetimes,
  now: Date,
): BillingUpdateLink => ({ ...link, ...renewedLifetime(linkLifetimes[lifetime], now) })
