import type { z } from 'zod'
import type { Locale } from '../kernel/locale.ts'
import { toWire } from '../kernel/moment.ts'
import { amount, type Currency } from '../kernel/money.ts'
import { Refusal } from '../kernel/refusal.ts'
import { decimalOf } from '../kernel/typed-amount.ts'
import { isOnSale } from '../modules/catalog/rules/index.ts'
import { pageOfProducts } from '../modules/catalog/store.ts'
import { needsCode, wrongCode } from '../modules/operators/step-up.ts'
import * as contract from '../modules/subscriptions/contract.ts'
import {
  type AdminSubscription,
  type ChangeField,
  type ChangePage,
  type ChangePreview,
  type ChangeProblem,
  changeFields,
} from '../modules/subscriptions/page.ts'
import { currentSubscription } from '../modules/subscriptions/resource.ts'
import * as rules from '../modules/subscriptions/rules/index.ts'
import { findSubscription } from '../modules/subscriptions/store.ts'
import { versionOf } from '../platform/crypto/version-of.ts'
import { db } from '../platform/db/db.ts'
import { parseWith } from '../platform/http/validate.ts'
import { limitOf } from '../workflows/subscription-change/charge-limits.ts'
import { change, previewChange } from '../workflows/subscription-change/operations.ts'
import { type Previewed, previewOf } from '../workflows/subscription-change/preview.ts'
import type { AgreedChange } from '../workflows/subscription-change/resolve.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { act, newFormKey } from './act.ts'
import type { Next } from './form-state.ts'
import { problemText, problemTexts } from './problem-texts.ts'
import { changedMeanwhile, stale } from './seen.ts'
import { renewalsWait } from './subscriptions.ts'

type Body = z.infer<typeof contract.changeSubscription.body & object>
type Typed = Readonly<Record<ChangeField, string>>

const mostPlans = 100

export async function subscriptionChangePage(
  place: StorefrontPath,
  id: string,
  query: URLSearchParams,
  cookies: string | null,
): Promise<ChangePage | null> {
  const access = await accessTo(place, 'subscriptions/[id]/change', cookies)
  const found = access && (await findSubscription(db(), access.tenant, id))
  if (!access || !found) return null
  const { rows } = await pageOfProducts(db(), access.tenant, 'subscription_plan', { limit: mostPlans }, false)
  const plans = rows
    .filter((plan) => isOnSale(plan) && plan.taxBehavior === found.taxBehavior && plan.id !== found.planId)
    .flatMap(({ id, terms: { name, price, billingInterval } }) =>
      billingInterval ? [{ id, name, price: amount(price.minor, price.currency), ...billingInterval }] : [],
    )
  const values = typedIn(query)
  const page = {
    subscription: await currentSubscription(db(), found),
    plans,
    values,
    renewalsWait: renewalsWait(access),
    needsCode: await needsCode('subscription.change', access.tenant.testmode, cookies),
    formKey: newFormKey(),
  }
  if (![...query.keys()].some((name) => name === 'quantity')) return { ...page, problems: {}, preview: null, terms: '' }
  try {
    const sent = bodyOf(values, found.price.currency)
    const { body } = parseWith(contract.changeSubscription, { id }, new URLSearchParams(), sent)
    const shown = await previewChange(access.tenant, id, body as Body)
    const problems: ChangePage['problems'] = {
      ...(query.has('terms') && { terms: problemText(changedMeanwhile, access.language) }),
      ...(query.has('code') && { code: problemText(wrongCode, access.language) }),
    }
    return { ...page, problems, preview: shown.preview, terms: `${toWire(shown.now)} ${shownVersion(shown)}` }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      ...page,
      problems: problemsOf(error, { ...page, found, locale: access.language }),
      preview: null,
      terms: '',
    }
  }
}

/** Returns a hash of the charge and the new terms that the page shows. */
const shownVersion = ({ preview, decided: { next } }: Previewed): string => {
  const { planId, name, price, quantity, billingInterval, scheduledUpdate } = next
  return versionOf([preview, planId, name, price, quantity, billingInterval, scheduledUpdate])
}

/**
 * The time for which a shown price is valid, in milliseconds, although the credit for unused time decreases every
 * second. Within this time, a change can be calculated as of the time when the page was shown.
 */
const mostShownMs = 15 * 60_000

/**
 * Makes the change as of now if its effect equals the effect that the page showed. If the effect differs only because
 * time has passed, makes the change as of the time when the page was shown. Otherwise refuses the change.
 */
const agreedTo =
  (terms: string, found: (made: Previewed) => void): AgreedChange =>
  async (tx, before, asked) => {
    const { now } = tx
    const [shown = '', version] = terms.split(' ')
    const shownAt = new Date(shown)
    const age = now.getTime() - shownAt.getTime()
    for (const at of age > 0 && age <= mostShownMs ? [now, shownAt] : [now]) {
      const made = await previewOf(tx, before, asked, at)
      if (shownVersion(made) !== version) continue
      found(made)
      return { at, decided: made.decided }
    }
    throw stale()
  }

interface AskedOf extends Pick<ChangePage, 'values' | 'plans'> {
  readonly found: rules.Subscription
  readonly locale: Locale
}

function problemsOf({ code, problems }: Refusal, asked: AskedOf): ChangePage['problems'] {
  if (code !== 'validation_failed') return { subscription: { code: 'refused', refusal: code } }
  const { applyImmediately, ...others } = problemTexts(problems, asked.locale)
  const ofPlan = others.subscriptionPlanId === undefined ? null : planProblem(asked)
  return {
    ...others,
    ...(ofPlan && { subscriptionPlanId: ofPlan }),
    ...(applyImmediately !== undefined && { when: momentProblem(applyImmediately, asked.found) }),
  }
}

/** A problem that the page explains better than the API. Null if the API's sentence fits. */
function planProblem({ values, plans, found }: AskedOf): ChangeProblem | null {
  const { subscriptionPlanId: id, quantity, 'price.value': price } = values
  if (id === '' && quantity === '' && price === '') return { code: 'nothingTyped' }
  return id === '' || id === found.planId || plans.some((plan) => plan.id === id) ? null : { code: 'planGone' }
}

function momentProblem(sentence: string, found: rules.Subscription): ChangeProblem {
  if (found.status === 'paused') return { code: 'paused' }
  if (sentence === rules.creditExceedsCharge) return { code: 'creditExceedsCharge' }
  return found.status === 'on_grace_period'
    ? { code: 'canceled' }
    : { code: 'tooLittle', least: limitOf(found, 'least') }
}

/** The initial form proposes a change now: unused time is credited, and the difference is charged immediately. */
const proposed: Typed = {
  subscriptionPlanId: '',
  quantity: '',
  'price.value': '',
  when: 'now',
  prorate: 'yes',
  invoice: 'now',
}

const typedIn = (values: URLSearchParams): Typed =>
  Object.fromEntries(
    changeFields.map((field) => [field, (values.get(field) ?? proposed[field]).trim().slice(0, 100)]),
  ) as unknown as Typed

function bodyOf(typed: Typed, currency: Currency): Record<string, unknown> {
  const { subscriptionPlanId, quantity, 'price.value': price, when, prorate, invoice } = typed
  const applyImmediately = when === 'now'
  return {
    ...(subscriptionPlanId !== '' && { subscriptionPlanId }),
    ...(quantity !== '' && { quantity: /^\d{1,9}$/.test(quantity) ? Number(quantity) : quantity }),
    ...(price !== '' && { price: { value: decimalOf(price, currency), currency } }),
    applyImmediately,
    prorate: prorate === 'yes',
    invoiceImmediately: applyImmediately && invoice === 'now',
  }
}

type TermsOf = Pick<AdminSubscription, 'subscriptionPlanId' | 'quantity' | 'basePrice' | 'interval' | 'intervalCount'>

const termsOf = ({ subscriptionPlanId, quantity, basePrice, interval, intervalCount }: TermsOf): TermsOf => ({
  subscriptionPlanId,
  quantity,
  basePrice,
  interval,
  intervalCount,
})

const said = (changed: AdminSubscription, preview: ChangePreview | null) => ({
  ...termsOf(changed),
  scheduledUpdate: changed.scheduledUpdate && termsOf(changed.scheduledUpdate),
  charged: preview?.now?.total ?? null,
  addedToRenewal: preview?.atRenewal?.total ?? null,
})

export async function submitSubscriptionChange(
  place: StorefrontPath,
  id: string,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'subscriptions/[id]/change', null, cookies)
  const found = access && (await findSubscription(db(), access.tenant, id))
  if (!access || !found) return null
  const typed = typedIn(values)
  const page = `${access.path}/subscriptions/${id}`
  const body = bodyOf(typed, found.price.currency)
  let made: Previewed | null = null
  const agreed = agreedTo(values.get('terms') ?? '', (each) => {
    made = each
  })
  const refusal = await act(
    access,
    values,
    {
      endpoint: contract.changeSubscription,
      params: { id },
      body,
      action: 'subscription.change',
      subject: id,
      after: (changed: AdminSubscription) => said(changed, made?.preview ?? null),
      check: ({ body }) => previewChange(access.tenant, id, body),
    },
    ({ context, body }) => change(context, id, body, agreed),
  )
  if (!refusal) return { redirectTo: `${page}?done=change` }
  return { redirectTo: `${page}/change?${new URLSearchParams({ ...typed, ...whyIn(refusal) })}#problems` }
}

/** The query parameters that report a refusal. The page finds all other problems by checking the entered values again. */
function whyIn({ code, on }: Refusal): Record<string, string> {
  if (code !== 'validation_failed') return { failed: code }
  return { ...(on.terms && { terms: 'changed' }), ...(on.code && { code: 'wrong' }) }
}
