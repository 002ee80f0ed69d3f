import type { Locale } from '../../kernel/locale.ts'
import { billingUpdatePath } from '../../modules/billing-updates/link.ts'
import { sameDetails } from '../../modules/billing-updates/rules/details.ts'
import { billingOf, billingUpdateProblems, readBillingUpdateForm } from '../../modules/billing-updates/rules/form.ts'
import * as store from '../../modules/billing-updates/store.ts'
import { type BuyerChoice, companyDetailsFor, taxIdEffectOf } from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { isRepetition, isUsable, refusedDraft, savedDraft } from '../../modules/form-links/rules/form-link.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { lastPaymentByLink, type Payment } from '../../modules/payments/store.ts'
import { recoveriesOwedBy } from '../../modules/recovery/store.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTaxIdChecks } from '../../modules/subscriptions/timer.ts'
import { byCustomer } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { openOnPage } from '../collection/on-page.ts'
import { sendBillingUpdated } from '../customer-emails/billing-updated.ts'
import { askAgainLater } from '../tax-ids/ask-again-later.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { askerOf, findUpdate, localeOf, onOfferFor } from './find-update.ts'
import { needsMethod } from './outstanding.ts'
import { askForVerification, cancelOpenVerification } from './verification-outcome.ts'
import { beginVerification, withdrawVerification } from './verify.ts'

/** Returns the URL of the next page; null if the link is unknown. A second submission of the same form has no effect. */
export async function submitBillingUpdate(
  token: string,
  form: URLSearchParams,
  visitor: Pick<Visitor, 'acceptLanguage'>,
): Promise<{ redirectTo: string } | null> {
  const found = await findUpdate(token)
  if (!found) return null
  const { link, subscription } = found
  const tenant = byCustomer(found.tenant)
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
        // `opened` is null if another tab replaced the payment, or if the provider refused it. The buyer then sees the current state of the
        // link.
        return { redirectTo: opened ?? (await afterVerification(token)) ?? page }
      }
    }
  }
}

export async function afterVerification(token: string): Promise<string | null> {
  const found = await findUpdate(token)
  if (!found) return null
  const { id, draft, redirectUrlSuccess } = found.link
  return (draft?.saved && redirectUrlSuccess) || billingUpdatePath(id)
}

export async function afterVerificationReturn(token: string): Promise<string | null> {
  const found = await findUpdate(token)
  const payment = found && (await lastPaymentByLink(db(), found.link.id))
  if (found && payment?.status === 'open') await askForVerification(found.tenant, payment)
  return found && afterVerification(token)
}

/**
 * Saves the details. For a new method, begins a verification instead and returns the payment that the buyer must confirm
 * on the provider's page. The details are then saved only when the verification succeeds.
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
  const isOwed = (await recoveriesOwedBy(sql, before.id)).length > 0
  const needs = { canKeep: before.mandate !== null, needsMethod: needsMethod(before, { isOwed, now }) }
  const problems = billingUpdateProblems(form, { ...needs, companyDetails, onOffer })
  if (Object.keys(problems).length > 0) {
    await store.saveDraft(sql, linkId, refusedDraft(link.draft, form, problems))
    return 'problems'
  }
  const { details, method } = billingOf(form)
  if (method) {
    const begun = await beginVerification(tx, { link, subscription: before, details, method, locale })
    // The form stays a draft until its verification succeeds. If the buyer has already confirmed an earlier
    // verification, this form is dropped, because the earlier form applies.
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
    await emit({ name: 'subscription.billing_updated', object: await currentSubscription(sql, next) })
    await sendBillingUpdated(tx, before, next)
  }
  await store.saveDraft(sql, linkId, savedDraft(link.draft, form, { charged: null, waiting: null }))
  return 'saved'
}
