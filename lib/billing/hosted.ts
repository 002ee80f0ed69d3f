import { amount, choiceOf } from '../checkouts/choice.ts'
import { originsOf, type Visitor } from '../checkouts/hosted.ts'
import { type Amount, type PaymentMethod, paymentMethods } from '../checkouts/page.ts'
import { companyDetailsFor, taxIdEffectOf } from '../checkouts/rules/index.ts'
import { localeOfLine } from '../checkouts/store.ts'
import { isCountry } from '../kernel/countries.ts'
import { negotiateLocale } from '../kernel/locale.ts'
import { toWire } from '../kernel/moment.ts'
import { sum } from '../kernel/money.ts'
import type { Order } from '../orders/rules/order.ts'
import { sellerView } from '../orders/seller-view.ts'
import { findOrder } from '../orders/store.ts'
import { testMandates } from '../payments/rules/mandate.ts'
import { paymentStates } from '../payments/rules/state.ts'
import { insertMandate, lastPayment } from '../payments/store.ts'
import { storefrontName } from '../people/store.ts'
import { now as clockNow, type Scope } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db.ts'
import { openLinkToken } from '../platform/sealed.ts'
import { transact, type Work } from '../platform/transact.ts'
import { chargeWhatWaited } from '../recovery/follow.ts'
import { openRecoveries } from '../recovery/store.ts'
import { bill } from '../subscriptions/bill.ts'
import { subscriptionResource } from '../subscriptions/resource.ts'
import { type Mandate, nextRenewalAt, priceLines, renew, type Subscription } from '../subscriptions/rules/index.ts'
import { findSubscription, lockSubscription, saveSubscription } from '../subscriptions/store.ts'
import { billingPath } from './link.ts'
import type { BillingForm, BillingPage, BillingQuote } from './page.ts'
import { sameDetails } from './rules/details.ts'
import { billingOf, billingProblems, prefilled, readBillingForm } from './rules/form.ts'
import { isRepetition, isUsable, refusedDraft, savedDraft, versionOf } from './rules/form-link.ts'
import type { BillingLink } from './rules/link.ts'
import * as store from './store.ts'

interface Found {
  readonly link: BillingLink
  readonly scope: Scope
  readonly subscription: Subscription
  readonly now: Date
}

/** The page behind a link in the state it is in; null when the link is none of ours. */
export async function billingPage(token: string, visitor: Visitor): Promise<BillingPage | null> {
  const found = await find(token)
  if (!found) return null
  const { link, scope, subscription } = found
  const common = {
    locale: (await localeOfLine(db(), subscription.checkoutLineId)) ?? negotiateLocale(visitor.acceptLanguage),
    testmode: scope.testmode,
    storefrontName: await storefrontName(db(), scope.storefrontId),
    seller: sellerView(config().seller),
    termsUrl: config().termsUrl,
    privacyUrl: config().privacyUrl,
    subscriptionName: subscription.name,
  }
  if (subscription.status === 'canceled') return { ...common, state: 'ended' }
  if (!isUsable(link, found.now)) return { ...common, state: 'expired' }
  const due = await owed(subscription, scope)
  const saved = link.draft?.saved ?? null
  if (saved && link.redirectUrlSuccess === null && !due) return { ...common, state: 'done', charged: saved.charged }

  const { mandate } = subscription
  const canKeep = mandate !== null
  // What was declined is not proposed again: keeping it would pay nothing.
  const form =
    link.draft && !saved
      ? link.draft.form
      : prefilled(saved ? null : link.billingAddress, subscription.billingAddress, canKeep && !due)
  return {
    ...common,
    state: 'open',
    mandate: mandate && { method: mandate.method, maskedIdentifier: mandate.maskedIdentifier },
    methods: [...paymentMethods],
    quote: quoteFor(found, form),
    due,
    isSaved: saved !== null && link.redirectUrlSuccess === null,
    form,
    problems: (!saved && link.draft?.problems) || {},
    submitUrl: `${billingPath(link.id)}/submit`,
    quoteUrl: `${billingPath(link.id)}/quote`,
    version: versionOf(link.draft),
    canCancel: link.redirectUrlCanceled !== null,
  }
}

/** What would follow from another `country` or `taxId`; null when there is nothing to update any more. */
export async function billingQuote(token: string, query: URLSearchParams): Promise<BillingQuote | null> {
  const found = await find(token)
  if (!found || found.subscription.status === 'canceled' || !isUsable(found.link, found.now)) return null
  return quoteFor(found, readBillingForm(query))
}

/**
 * What the buyer's submit leads to: the shop's URL, or a path of ours; null when the link is none of ours. A form with problems
 * leads back to the page with everything that was typed. A form that is sent twice counts once.
 */
export async function submitBilling(token: string, form: URLSearchParams): Promise<{ redirectTo: string } | null> {
  const found = await find(token)
  if (!found) return null
  const { link, scope } = found
  const page = billingPath(link.id)
  if (form.get('intent') === 'cancel') return { redirectTo: link.redirectUrlCanceled ?? page }
  const outcome = await transact(scope, (work) => save(work, link.id, form))
  if (outcome === 'problems') return { redirectTo: `${page}#problems` }
  return { redirectTo: outcome === 'saved' ? (link.redirectUrlSuccess ?? page) : page }
}

/** The HTTP status of the page, cheaply. */
export async function billingStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  return found.subscription.status !== 'canceled' && isUsable(found.link, found.now) ? 200 : 410
}

/** Origins of the shop that the page's form may lead to. */
export async function billingOrigins(token: string): Promise<string[]> {
  const found = await find(token)
  return found ? originsOf(found.link) : []
}

async function find(token: string): Promise<Found | null> {
  const id = openLinkToken('billing', 'billing_link_', token)
  const found = id === null ? null : await store.findLinkAnywhere(db(), id)
  const subscription = found && (await findSubscription(db(), found.scope, found.link.subscriptionId))
  return subscription && { ...found, subscription, now: await clockNow(db(), found.scope) }
}

/** Takes over the details and the method of a form, with what follows from them. */
async function save(work: Work, linkId: string, sent: URLSearchParams): Promise<'closed' | 'problems' | 'saved'> {
  const { sql, now, emit } = work
  const link = await store.lockLink(sql, linkId)
  const before = await lockSubscription(sql, work, link.subscriptionId)
  if (!before || before.status === 'canceled' || !isUsable(link, now)) return 'closed'
  const form = readBillingForm(sent)
  if (isRepetition(link.draft, form, sent.get('version'))) return 'saved'
  const companyDetails = companyDetailsFor(taxIdEffectOf(choiceOf(form)), work)
  const problems = billingProblems(form, { canKeep: before.mandate !== null, companyDetails })
  if (Object.keys(problems).length > 0) {
    await store.saveDraft(sql, linkId, refusedDraft(link.draft, form, problems))
    return 'problems'
  }
  const { details, method } = billingOf(form)
  const mandate = method ? await newMandate(work, before.customerId, method) : before.mandate
  const next: Subscription = { ...before, billingAddress: details, mandate }
  let charged: Order[] = []
  if (method || !sameDetails(details, before.billingAddress)) {
    await saveSubscription(sql, next)
    await emit({ name: 'subscription.billing_updated', object: subscriptionResource(next) })
  }
  if (method) {
    await bill(work, next, [{ kind: 'verification', amount: 0n }], { method })
    charged = await chargeWhatWaited(work, next)
  }
  await store.saveDraft(sql, linkId, savedDraft(link.draft, form, { charged: totalOf(charged) }))
  return 'saved'
}

/** The method that was chosen is tried with nothing, and can be charged from then on. */
async function newMandate(
  { sql, now, newId, ...scope }: Work,
  customerId: string,
  method: PaymentMethod,
): Promise<Mandate> {
  const mandate: Mandate = { id: newId('mandate_'), ...testMandates[method], status: 'valid' }
  await insertMandate(sql, scope, mandate, customerId, now)
  return mandate
}

/** What is owed and not being charged at this moment. */
async function owed({ id }: Subscription, scope: Scope): Promise<(BillingPage & { state: 'open' })['due']> {
  const recoveries = await openRecoveries(db(), id)
  const waiting = await Promise.all(
    recoveries.map(async ({ orderId }) => {
      const last = await lastPayment(db(), orderId)
      const isOnItsWay = last !== null && last.provider !== 'simulated' && !paymentStates.isFinal(last.status)
      return isOnItsWay ? null : findOrder(db(), scope, orderId)
    }),
  )
  const total = totalOf(waiting.filter((order) => order !== null))
  const [first] = recoveries
  return total && first ? { total, reason: first.failureReason } : null
}

function totalOf(orders: readonly Order[]): Amount | null {
  const [first] = orders
  return first ? amount(sum(orders.map(({ total }) => total)), first.currency) : null
}

function quoteFor({ subscription, scope, now }: Found, { country, taxId }: BillingForm): BillingQuote {
  // While no country is chosen, the figures are those of what is stored.
  if (!isCountry(country)) {
    return { taxId: 'none', companyDetails: 'optional', nextCharge: nextCharge(subscription, now) }
  }
  const choice = choiceOf({ country, taxId })
  const effect = taxIdEffectOf(choice)
  const billingAddress = { ...subscription.billingAddress, country, taxId: choice.taxId }
  return {
    taxId: effect,
    companyDetails: companyDetailsFor(effect, scope),
    nextCharge: nextCharge({ ...subscription, billingAddress }, now),
  }
}

/** The next renewal, by the rule that will bill it. */
function nextCharge(subscription: Subscription, now: Date): BillingQuote['nextCharge'] {
  const due = nextRenewalAt(subscription)
  if (!due) return null
  const { next, lines } = renew(subscription, { due, now })
  const { total } = priceLines(next, lines, { sellerCountry: config().seller.country, on: due })
  // One that waits for what is owed follows at once when that is paid.
  return { total: amount(total, next.price.currency), at: toWire(due > now ? due : now) }
}
