import type { Duration } from '../../../kernel/calendar.ts'
import type { Amount } from '../../../kernel/money.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../form-links/rules/form-link.ts'
import type { BillingUpdateField, Waiting } from '../page.ts'

/** The amount that was charged when the form was saved. The page shows this amount until the link expires. */
interface Saved {
  readonly charged: Amount | null
  readonly waiting?: Waiting | null
}

export type BillingUpdateDraft = FormDraft<BillingUpdateField, Saved>

export interface BillingUpdateLink extends FormLink<BillingUpdateField, Saved> {
  readonly subscriptionId: string
  /** `redirectUrlSuccess` is null for a link from an email, because such a link has no shop page to return to. */
  readonly redirectUrlSuccess: string | null
  readonly redirectUrlCanceled: string | null
  /** The merchant's values, which the form shows instead of the stored details. A missing field is shown empty. */
  readonly billingAddress: Partial<BillingDetails> | null
}

/** An email link is valid for eight days, because up to seven days pass between two emails of a recovery. */
export const linkLifetimes = { merchant: oneDay, email: { days: 8 } } as const satisfies Record<string, Duration>

export const newLink = (
  link: Pick<
    BillingUpdateLink,
    'id' | 'subscriptionId' | 'redirectUrlSuccess' | 'redirectUrlCanceled' | 'billingAddress'
  >,
  lifetime: keyof typeof linkLifetimes,
  now: Date,
): BillingUpdateLink => ({ ...link, ...renewedLifetime(linkLifetimes[lifetime], now) })
