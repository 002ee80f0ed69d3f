import { isCountry } from '../../kernel/countries.ts'
import { type Locale, negotiateLocale } from '../../kernel/locale.ts'
import { readTimeZone } from '../../kernel/time-zone.ts'
import { billingUpdatePath } from '../../modules/billing-updates/link.ts'
import type { BillingUpdateForm, BillingUpdatePage, BillingUpdateQuote } from '../../modules/billing-updates/page.ts'
import { sameDetails } from '../../modules/billing-updates/rules/details.ts'
import {
  billingOf,
  billingUpdateProblems,
  prefilled,
  readBillingUpdateForm,
} from '../../modules/billing-updates/rules/form.ts'
import type { BillingUpdateLink } from '../../modules/billing-updates/rules/link.ts'
import * as store from '../../modules/billing-updates/store.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import {
  type BuyerChoice,
  companyDetailsFor,
  detailsQuote,
  taxIdEffectOf,
} from '../../modules/checkouts/rules/index.ts'
import { localeOfLine } from '../../modules/checkouts/store.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import {
  draftVersion,
  isRepetition,
  isUsable,
  refusedDraft,
  savedDraft,
} from '../../modules/form-links/rules/form-link.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { noticeOf } from '../../modules/payments/notice.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { lastPaymentByLink, type Payment } from '../../modules/payments/store.ts'
import { comingCharges } from '../../modules/recovery/coming-charges.ts'
import { openRecoveries } from '../../modules/recovery/store.ts'
import { sepaCreditorId } from '../../modules/subscriptions/direct-debit.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, lockSubscription, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTaxIdChecks } from '../../modules/subscriptions/timer.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { methodsOnOffer } from '../../providers/index.ts'
import { openOnPage } from '../collection/on-page.ts'
import { sendBillingUpdated } from '../customer-emails/billing-updated.ts'
import type { Visitor } from '../sale/hosted.ts'
import { askAgainLater } from '../tax-ids/ask-again-later.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { needsMethod, outstandingOrders } from './outstanding.ts'
import { askForVerification, cancelOpenVerification } from './verification-outcome.ts'
import { beginVerification, withdrawVerification } from './verify.ts'

interface Found {
  readonly link: BillingUpdateLink
  readonly tenant: Tenant
  readonly subscription: Subscription
  readonly now: Date
}

/** The page behind a link, in its current state. Null if the link is unknown. */
export async function billingUpdatePage(token: string, visitor: Visitor): Promise<BillingUpdatePage | null> {
  const found = await find(token)
  if (!found) return null
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
  // A declined method is not preselected: keeping it would pay nothing.
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

/** The quote for another `country`, `postalCode` or `taxId`, in a time zone. Null if there is nothing left to update. */
export async function billingUpdateQuote(token: string, query: URLSearchParams): Promise<BillingUpdateQuote | null> {
  const found = await find(token)
  if (!found || found.subscription.status === 'canceled' || !isUsable(found.link, found.now)) return null
  return quoteFor(found, readBillingUpdateForm(query), readTimeZone(query.get('timeZone')))
}

/**
 * Handles the buyer's submit and returns where it leads: the shop's URL, a path of ours, or the provider's page where a
 * new method is verified. Null if the link is unknown. A form with problems leads back to the page with everything that
 * was typed. A form that is sent twice counts once.
 */
export async function submitBillingUpdate(
  token: string,
  form: URLSearchParams,
  visitor: Pick<Visitor, 'acceptLanguage'>,
): Promise<{ redirectTo: string } | null> {
  const found = await find(token)
  if (!found) return null
  const { link, tenant, subscription } = found
  const page = billingUpdatePath(link.id)
  if (form.get('intent') === 'cancel') return { redirectTo: link.redirectUrlCanceled ?? page }
  const choice = await withTaxFacts(tenant, taxInputOf(readBillingUpdateForm(form)), askerOf(subscription))
  const onOffer = await onOfferFor(found)
  const locale = await localeOf(subscription, visitor)
  for (;;) {
    const outcome = await transact(tenant, (tx) => save(tx, link.id, form, { choice, onOffer, locale }))
    switch (outcome) {
      case 'cancel first':
        await cancelOpenVerification(tenant, subscription.id)
        continue
      case 'problems':
        return { redirectTo: `${page}#problems` }
      case 'closed':
      case 'on its way':
        return { redirectTo: page }
      case 'saved':
        return { redirectTo: link.redirectUrlSuccess ?? page }
      default: {
        const opened = await openOnPage(tenant, outcome, pageUrl(`${page}/return`), ({ sql, ...rest }) =>
          lockSubscription(sql, rest, subscription.id),
        )
        // Null where another tab was faster; that tab's result counts.
        return { redirectTo: opened ?? (await afterVerification(token)) ?? page }
      }
    }
  }
}

/** Where the buyer goes after a verification at the provider: to the shop, or back to the form. */
export async function afterVerification(token: string): Promise<string | null> {
  const found = await find(token)
  if (!found) return null
  const { id, draft, redirectUrlSuccess } = found.link
  return (draft?.saved && redirectUrlSuccess) || billingUpdatePath(id)
}

/** Where a buyer goes who comes back from the provider's page; the outcome is asked for. Null if the link is unknown. */
export async function afterVerificationReturn(token: string): Promise<string | null> {
  const found = await find(token)
  const payment = found && (await lastPaymentByLink(db(), found.link.id))
  if (found && payment?.status === 'open') await askForVerification(found.tenant, payment)
  return found && afterVerification(token)
}

/** The HTTP status of the page, without loading all its data. */
export async function billingUpdateStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  return found.subscription.status !== 'canceled' && isUsable(found.link, found.now) ? 200 : 410
}

/** Origins of the shop that the page's form may lead to. */
export async function billingUpdateOrigins(token: string): Promise<string[]> {
  const found = await find(token)
  return found ? originsOf(found.link) : []
}

async function find(token: string): Promise<Found | null> {
  const id = openLinkToken('billing', 'billing_link_', token)
  const found = id === null ? null : await store.findLinkAnywhere(db(), id)
  const subscription = found && (await findSubscription(db(), found.tenant, found.link.subscriptionId))
  return subscription && { ...found, subscription, now: await clockNow(db(), found.tenant) }
}

/**
 * Saves the details of a form that keeps the payment method. A new method is verified first, together with the details:
 * returns the payment that the buyer makes on the provider's page.
 */
async function save(
  tx: Transaction,
  linkId: string,
  sent: URLSearchParams,
  { choice, onOffer, locale }: { choice: BuyerChoice; onOffer: readonly PaymentMethod[]; locale: Locale },
): Promise<'closed' | 'problems' | 'saved' | 'cancel first' | 'on its way' | Payment> {
  const { sql, now, emit } = tx
  const link = await store.lockLink(sql, linkId)
  const before = await lockSubscription(sql, tx, link.subscriptionId)
  if (!before || before.status === 'canceled' || !isUsable(link, now)) return 'closed'
  const form = readBillingUpdateForm(sent)
  if (isRepetition(link.draft, form, sent.get('version'))) return 'saved'
  const companyDetails = companyDetailsFor(taxIdEffectOf(tx, choice), tx)
  const isOwed = (await openRecoveries(sql, before.id)).length > 0
  const needs = { canKeep: before.mandate !== null, needsMethod: needsMethod(before, { isOwed, now }) }
  const problems = billingUpdateProblems(form, { ...needs, companyDetails, onOffer })
  if (Object.keys(problems).length > 0) {
    await store.saveDraft(sql, linkId, refusedDraft(link.draft, form, problems))
    return 'problems'
  }
  const { details, method } = billingOf(form)
  if (method) {
    const begun = await beginVerification(tx, { link, subscription: before, details, method, locale })
    // One that is on its way ends with what was sent with it.
    if (begun !== 'on its way') await store.saveDraft(sql, linkId, refusedDraft(link.draft, form, {}))
    return begun
  }
  const withdrawn = await withdrawVerification(tx, before)
  if (withdrawn !== 'withdrawn') return withdrawn
  if (!sameDetails(details, before.billingAddress)) {
    const next: Subscription = { ...before, billingAddress: details, taxFacts: choice.facts }
    await saveSubscription(sql, next)
    await askAgainLater(tx, choice)
    await setTaxIdChecks(tx, [next])
    await emit({ name: 'subscription.billing_updated', object: subscriptionResource(next) })
    await sendBillingUpdated(tx, before, next)
  }
  await store.saveDraft(sql, linkId, savedDraft(link.draft, form, { charged: null, waiting: null }))
  return 'saved'
}

/** The methods that the provider can verify for an amount of 0.00, and charge at the next renewal. */
const onOfferFor = ({ subscription, tenant, now }: Found): Promise<readonly PaymentMethod[]> =>
  methodsOnOffer(tenant, {
    amount: { minor: 0n, currency: subscription.price.currency },
    renewals: [nextCharge(subscription, now)?.total ?? 0n],
    makesMandate: true,
    country: subscription.billingAddress.country ?? '',
  })

async function quoteFor(
  { subscription, tenant, now }: Found,
  { country, taxId, postalCode }: BillingUpdateForm,
  timeZone: string | null,
): Promise<BillingUpdateQuote> {
  const typed = taxInputOf({ country, taxId, postalCode })
  // Until a country is chosen, the quote uses the stored details.
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

const askerOf = ({ customerId }: Subscription) => ({ checkoutId: null, customerId })

const localeOf = async ({ checkoutLineId }: Subscription, { acceptLanguage }: Pick<Visitor, 'acceptLanguage'>) =>
  (await localeOfLine(db(), checkoutLineId)) ?? negotiateLocale(acceptLanguage)
