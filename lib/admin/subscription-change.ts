import type { z } from 'zod'
import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import { Refusal } from '../kernel/refusal.ts'
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
import { limitInWords } from '../workflows/subscription-change/charge-limits.ts'
import { change, previewChange } from '../workflows/subscription-change/operations.ts'
import { type Previewed, previewOf } from '../workflows/subscription-change/preview.ts'
import type { Agreed } from '../workflows/subscription-change/resolve.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { act, newFormKey } from './act.ts'
import type { Next } from './form-state.ts'
import { changedMeanwhile, stale } from './seen.ts'
import { renewalsWait } from './subscriptions.ts'

type Body = z.infer<typeof contract.changeSubscription.body & object>
type Typed = Readonly<Record<ChangeField, string>>

const mostPlans = 100

/** The preview of a change: its charge and time, or its problems. */
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
      ...(query.has('terms') && { terms: changedMeanwhile }),
      ...(query.has('code') && { code: wrongCode }),
    }
    return { ...page, problems, preview: shown.preview, terms: `${toWire(shown.now)} ${shownVersion(shown)}` }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...page, problems: problemsOf(error, { ...page, found }), preview: null, terms: '' }
  }
}

/** The version of the shown charge and of the terms that then apply. */
const shownVersion = ({ preview, next }: Previewed): string => {
  const { planId, name, price, quantity, billingInterval, scheduledUpdate } = next
  return versionOf([preview, planId, name, price, quantity, billingInterval, scheduledUpdate])
}

/** Unused time loses value with each second. Within this time a change is made as of the time of its page. */
const mostShownMs = 15 * 60_000

/** The change is made as of now if its effect is the one shown; otherwise as of the page, if only time has passed. */
const agreedTo =
  (terms: string, found: (made: Previewed) => void): Agreed<rules.Change> =>
  async (tx, before, asked) => {
    const { now } = tx
    const [shown = '', version] = terms.split(' ')
    const shownAt = new Date(shown)
    const age = now.getTime() - shownAt.getTime()
    for (const at of age > 0 && age <= mostShownMs ? [now, shownAt] : [now]) {
      const made = await previewOf(tx, before, asked, at)
      if (shownVersion(made) !== version) continue
      found(made)
      return at
    }
    throw stale()
  }

interface AskedOf extends Pick<ChangePage, 'values' | 'plans'> {
  readonly found: rules.Subscription
}

/** The problems, at the fields of the form. */
function problemsOf({ code, on, message }: Refusal, asked: AskedOf): ChangePage['problems'] {
  if (code !== 'validation_failed') return { subscription: message }
  const { applyImmediately, ...others } = Object.fromEntries(
    Object.entries(on).map(([field, [sentence = '']]) => [field, sentence]),
  )
  const ofPlan = others.subscriptionPlanId === undefined ? null : planProblem(asked)
  return {
    ...others,
    ...(ofPlan && { subscriptionPlanId: ofPlan }),
    ...(applyImmediately !== undefined && { when: momentProblem(applyImmediately, asked.found) }),
  }
}

/** Null if the API's sentence fits. */
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
    : { code: 'tooLittle', least: limitInWords(found, 'least') }
}

/** An empty form proposes a change now, with the unused time credited and the difference charged at once. */
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

function bodyOf(typed: Typed, currency: string): Record<string, unknown> {
  const { subscriptionPlanId, quantity, 'price.value': price, when, prorate, invoice } = typed
  const applyImmediately = when === 'now'
  return {
    ...(subscriptionPlanId !== '' && { subscriptionPlanId }),
    ...(quantity !== '' && { quantity: /^\d{1,9}$/.test(quantity) ? Number(quantity) : quantity }),
    ...(price !== '' && { price: { value: price.replace(',', '.'), currency } }),
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

/** The entry of a change in the audit log: the terms now and later, and the charge. */
const said = (changed: AdminSubscription, preview: ChangePreview | null) => ({
  ...termsOf(changed),
  scheduledUpdate: changed.scheduledUpdate && termsOf(changed.scheduledUpdate),
  charged: preview?.now?.total ?? null,
  addedToRenewal: preview?.atRenewal?.total ?? null,
})

/** Makes the change. A problem redirects to the page that shows it. */
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

/** The reason that the page cannot derive from the typed values. */
function whyIn({ code, on }: Refusal): Record<string, string> {
  if (code !== 'validation_failed') return { failed: code }
  return { ...(on.terms && { terms: 'changed' }), ...(on.code && { code: 'wrong' }) }
}
