import { negotiateLocale } from '../../kernel/locale.ts'
import type { BillingUpdateLink } from '../../modules/billing-updates/rules/link.ts'
import * as store from '../../modules/billing-updates/store.ts'
import { localeOfLine } from '../../modules/checkouts/store.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { methodsOnOffer } from '../../providers/index.ts'

export interface FoundUpdate {
  readonly link: BillingUpdateLink
  readonly tenant: Tenant
  readonly subscription: Subscription
  readonly now: Date
}

export async function findUpdate(token: string): Promise<FoundUpdate | null> {
  const id = openLinkToken('billing', 'billing_link_', token)
  const found = id === null ? null : await store.findLinkAnywhere(db(), id)
  const subscription = found && (await findSubscription(db(), found.tenant, found.link.subscriptionId))
  return subscription && { ...found, subscription, now: await clockNow(db(), found.tenant) }
}

/** Returns the payment methods that the provider can verify with 0.00 and charge at the next renewal. */
export const onOfferFor = ({ subscription, tenant, now }: FoundUpdate): Promise<readonly PaymentMethod[]> =>
  methodsOnOffer(tenant, {
    amount: { minor: 0n, currency: subscription.price.currency },
    renewals: [nextCharge(subscription, now)?.total ?? 0n],
    makesMandate: true,
    country: subscription.billingAddress.country ?? '',
  })

export const askerOf = ({ customerId }: Subscription) => ({ checkoutId: null, customerId })

export const localeOf = async ({ checkoutLineId }: Subscription, { acceptLanguage }: Pick<Visitor, 'acceptLanguage'>) =>
  (await localeOfLine(db(), checkoutLineId)) ?? negotiateLocale(acceptLanguage)
