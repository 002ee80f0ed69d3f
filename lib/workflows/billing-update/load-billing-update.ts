import { isCountry } from '../../kernel/countries.ts'
import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { readTimeZone } from '../../kernel/time-zone.ts'
import { billingUpdatePath } from '../../modules/billing-updates/link.ts'
import type { BillingUpdateForm, BillingUpdatePage, BillingUpdateQuote } from '../../modules/billing-updates/page.ts'
import { prefilled, readBillingUpdateForm } from '../../modules/billing-updates/rules/form.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import { detailsQuote } from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { draftVersion, isUsable } from '../../modules/form-links/rules/form-link.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { comingCharges } from '../../modules/outstanding/coming-charges.ts'
import { noticeOf } from '../../modules/payments/notice.ts'
import { lastPaymentByLink } from '../../modules/payments/store.ts'
import { sepaCreditorId } from '../../modules/subscriptions/direct-debit.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { askerOf, type FoundUpdate, findUpdate, localeOf, onOfferFor } from './find-update.ts'
import { needsMethod, outstandingOrders } from './outstanding.ts'

export async function loadBillingUpdate(token: string, visitor: Visitor): Promise<Loaded<BillingUpdatePage>> {
  const found = await findUpdate(token)
  if (!found) return unknownLink
  const view = await viewOf(found, visitor)
  const isOver = view.state === 'ended' || view.state === 'expired'
  return { status: isOver ? 410 : 200, view, origins: originsOf(found.link) }
}

async function viewOf(found: FoundUpdate, visitor: Visitor): Promise<BillingUpdatePage> {
  const { link, tenant, subscription } = found
  const common = {
    locale: await localeOf(subscription, visitor),
    testmode: tenant.testmode,
    ...(await storefrontView(db(), tenant.storefrontId)),
    seller: sellerView(config().seller),
    subscriptionName: subscription.name,
  }
  if (subscription.status === 'canceled') return { ...common, state: 'ended' }
  if (!isUsable(link, found.now)) return { ...common, state: 'expired' }
  const due = await outstandingOrders(subscription)
  const saved = link.draft?.saved ?? null
  if (saved && link.redirectUrlSuccess === null && !due) {
    return { ...common, state: 'done', charged: saved.charged, waiting: saved.waiting ?? null }
  }

  const { mandate } = subscription
  const canKeep = mandate !== null
  // If orders are outstanding, the declined payment method is not preselected, because these orders cannot be charged
  // on this method.
  const form =
    link.draft && !saved
      ? link.draft.form
      : prefilled(saved ? null : link.billingAddress, subscription.billingAddress, canKeep && !due)
  return {
    ...common,
    state: 'open',
    mandate: mandate && { method: mandate.method, maskedIdentifier: mandate.maskedIdentifier },
    sepaCreditorId: sepaCreditorId(found.tenant.testmode),
    methods: [...(await onOfferFor(found))],
    needsMethod: needsMethod(subscription, { isOwed: due !== null, now: found.now }),
    quote: await quoteFor(found, form, null),
    due,
    notice: link.draft && !saved ? noticeOf(await lastPaymentByLink(db(), link.id)) : null,
    isSaved: saved !== null && link.redirectUrlSuccess === null,
    form,
    problems: (!saved && link.draft?.problems) || {},
    submitUrl: `${billingUpdatePath(link.id)}/submit`,
    quoteUrl: `${billingUpdatePath(link.id)}/quote`,
    version: draftVersion(link.draft),
    canCancel: link.redirectUrlCanceled !== null,
  }
}

export async function billingUpdateQuote(token: string, query: URLSearchParams): Promise<BillingUpdateQuote | null> {
  const found = await findUpdate(token)
  if (!found || found.subscription.status === 'canceled' || !isUsable(found.link, found.now)) return null
  return quoteFor(found, readBillingUpdateForm(query), readTimeZone(query.get('timeZone')))
}

async function quoteFor(
  { subscription, tenant, now }: FoundUpdate,
  { country, taxId, postalCode }: BillingUpdateForm,
  timeZone: string | null,
): Promise<BillingUpdateQuote> {
  const typed = taxInputOf({ country, taxId, postalCode })
  const due = await outstandingOrders(subscription)
  const common = { timeZone, canKeep: subscription.mandate !== null }
  if (!isCountry(country))
    return {
      ...common,
      ...detailsQuote(tenant, typed),
      ...(await comingCharges(db(), tenant, subscription, { due, now })),
    }
  const choice = await withTaxFacts(tenant, typed, askerOf(subscription))
  const billingAddress = { ...subscription.billingAddress, country, postalCode, taxId: choice.taxId }
  const changed = { ...subscription, billingAddress, taxFacts: choice.facts }
  return { ...common, ...detailsQuote(tenant, choice), ...(await comingCharges(db(), tenant, changed, { due, now })) }
}
