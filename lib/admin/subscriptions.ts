import { findCustomer } from '../modules/customers/store.ts'
import { chargesOf } from '../modules/outstanding/coming-charges.ts'
import * as contract from '../modules/subscriptions/contract.ts'
import { nextCharge } from '../modules/subscriptions/next-charge.ts'
import type {
  RenewalsWait,
  SubscriptionAction,
  SubscriptionPage,
  SubscriptionsPage,
} from '../modules/subscriptions/page.ts'
import { shownSubscription } from '../modules/subscriptions/resource.ts'
import { isOngoing, subscriptionStates } from '../modules/subscriptions/rules/index.ts'
import { pageOfSubscriptionsByNextCharge } from '../modules/subscriptions/sorted.ts'
import { findShownSubscription, findSubscription, pageOfSubscriptions } from '../modules/subscriptions/store.ts'
import { now as clockNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import * as operations from '../workflows/subscription-change/operations.ts'
import type { Agreed } from '../workflows/subscription-change/resolve.ts'
import {
  actionNamed,
  allowedActions,
  debtOf,
  stakesOf,
  stakesVersion,
} from '../workflows/subscription-change/stakes.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { act, newFormKey, once, toConfirm } from './act.ts'
import { customerLinksOn } from './customer-links.ts'
import { exportOf } from './export.ts'
import type { Next } from './form-state.ts'
import { actionOf, adminList, chosen, type ListParameters } from './list.ts'
import { namedCustomer } from './names.ts'
import { paymentBehaviorForm, submitPaymentBehavior } from './payment-behavior.ts'
import { problemText } from './problem-texts.ts'
import { subscriptionRows } from './rows.ts'
import { changedMeanwhile, stale } from './seen.ts'
import { timelineOf } from './timeline.ts'
import { deliveriesAbout } from './webhooks.ts'

export async function subscriptionsPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<SubscriptionsPage | null> {
  const access = await accessTo(place, 'subscriptions', cookies)
  if (!access) return null
  const { path, tenant } = access
  const filter = chosen(subscriptionStates.states, parameters.status)
  const customer = parameters.customer || null
  const of = { status: filter.status ?? undefined, customerId: customer ?? undefined }
  const list = await adminList(
    `${path}/subscriptions`,
    { ...parameters, status: filter.status },
    async ({ sort, ...query }, sql) => {
      const sorted = sort && { status: of.status, isDescending: sort.isDescending }
      const page = sorted
        ? await pageOfSubscriptionsByNextCharge(sql, tenant, query, sorted)
        : await pageOfSubscriptions(sql, tenant, query, of)
      return { ...page, rows: await subscriptionRows(sql, tenant, page.rows) }
    },
    (row) => row,
    ['next-charge'],
  )
  const files = exportOf(access, 'subscriptions', { status: filter.status, customer, ...list.dates })
  const named = await namedCustomer(tenant, customer)
  return { ...list, filter, customerId: customer, customer: named, ...files, ...actionOf(access, 'catalog/new') }
}

/** Returns the reason why the next charge of a subscription waits. Null if the charge does not wait. */
export const renewalsWait = ({ storefront }: Access): RenewalsWait => {
  if (storefront.heldAt) return 'onHold'
  return storefront.suspension ? 'suspended' : null
}

/** Refuses an action whose effect differs from the effect that its page showed. */
const agreedTo =
  (action: SubscriptionAction, terms: string): Agreed =>
  async (tx, subscription) => {
    const { sql, now } = tx
    const stakes = stakesOf(action, subscription, await debtOf(sql, tx, subscription.id), now)
    if (stakes && stakesVersion(action, stakes, now) !== terms) throw stale()
  }

/**
 * One subscription with its timeline. `changed` names the action whose effect has changed after its page was shown.
 * `form` is the id of the stored form result.
 */
export async function subscriptionPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
  { changed = null, form = null }: { changed?: string | null; form?: string | null } = {},
): Promise<SubscriptionPage | null> {
  const access = await accessTo(place, 'subscriptions/[id]', cookies)
  const found = access && (await findSubscription(db(), access.tenant, id))
  const shown = access && (await findShownSubscription(db(), access.tenant, id))
  if (!access || !found || !shown) return null
  const { tenant, path } = access
  const now = await clockNow(db(), tenant)
  const { entries, isCut } = await timelineOf(access, found)
  const debt = await debtOf(db(), tenant, id)
  const customer = await findCustomer(db(), tenant, found.customerId)
  return {
    subscription: shownSubscription(shown),
    email: customer?.email ?? '',
    ...chargesOf(found, debt.heldBack, now),
    renewalsWait: renewalsWait(access),
    lacksMethod: found.mandate === null && (nextCharge(found, now)?.total ?? 0n) > 0n,
    outstanding: debt.outstanding,
    actions: access.mayDo('subscription.cancel')
      ? allowedActions(found, debt, now).map(({ action, stakes, version }) => ({
          action,
          stakes,
          terms: version,
          isOpen: action === changed,
          formKey: newFormKey(),
        }))
      : [],
    problems: changed === null ? {} : { terms: problemText(changedMeanwhile, access.language) },
    mayChange: access.mayDo('subscription.change') && isOngoing(found),
    links: await customerLinksOn(access, id, form),
    deliveries: await deliveriesAbout(access, [id]),
    paymentBehavior: await paymentBehaviorForm(access, id, form),
    timeline: entries,
    moreUrl: isCut ? `${path}/orders?customer=${found.customerId}` : null,
  }
}

export async function submitSubscription(
  place: StorefrontPath,
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'subscriptions/[id]', form.get('intent'), cookies)
  if (!access || !(await findSubscription(db(), access.tenant, id))) return null
  const page = `${access.path}/subscriptions/${id}`
  if (form.get('intent') === 'payment-behavior')
    return access.tenant.testmode ? submitPaymentBehavior(access, id, page, form) : null
  const action = actionNamed(form.get('intent'))
  if (!action) return { redirectTo: page }
  const refusal = await perform(access, id, action, form)
  const confirm = refusal && toConfirm(access, { page, values: form }, refusal)
  if (confirm) return confirm
  if (refusal?.on.terms) return { redirectTo: `${page}?changed=${action}#problems` }
  if (refusal) return { redirectTo: `${page}?failed=${refusal.code}` }
  // A subscription without paid time has no grace period and ends immediately.
  const hasEnded = action === 'cancel' && (await findSubscription(db(), access.tenant, id))?.status === 'canceled'
  return { redirectTo: `${page}?done=${hasEnded ? 'cancelNow' : action}` }
}

function perform(access: Access, id: string, action: SubscriptionAction, form: URLSearchParams) {
  const params = { id }
  const agreed = agreedTo(action, form.get('terms') ?? '')
  switch (action) {
    case 'cancel':
    case 'cancelNow': {
      const immediately = action === 'cancelNow'
      const name = immediately ? ('subscription.cancel_now' as const) : ('subscription.cancel' as const)
      const asked = { endpoint: contract.cancelSubscription, params, action: name, subject: id }
      return act(access, form, asked, ({ context }) => operations.cancel(context, id, { immediately }, agreed))
    }
    case 'resume': {
      const asked = {
        endpoint: contract.resumeSubscription,
        params,
        action: 'subscription.resume' as const,
        subject: id,
      }
      return act(access, form, asked, async ({ context }) => operations.resume(context, id, agreed))
    }
    case 'pause':
    case 'unpause': {
      const asked = {
        path: `/admin/subscriptions/${action}`,
        content: id,
        action: `subscription.${action}` as const,
        subject: id,
      }
      const operation = action === 'pause' ? operations.pause : operations.unpause
      return once(access, form, asked, (context) => operation(context, id, agreed))
    }
  }
}
