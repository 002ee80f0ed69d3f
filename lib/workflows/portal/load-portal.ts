import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { isId } from '../../kernel/ids.ts'
import { toWire } from '../../kernel/moment.ts'
import { unpaidOf } from '../../modules/outstanding/unpaid.ts'
import type {
  PortalCancelPage,
  PortalDocumentsPage,
  PortalEnded,
  PortalFrame,
  PortalOverview,
  PortalSubscriptionPage,
} from '../../modules/portal/page.ts'
import { plansToSwitchTo, undoScheduled } from '../../modules/portal/rules/portal-change.ts'
import { nextChargeView } from '../../modules/subscriptions/next-charge.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { newestSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { newFormKey } from '../../platform/http/form-key.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { portalEnded } from '../portal-sign-in/load-sign-in.ts'
import { withdrawalsOf } from '../withdrawal/open.ts'
import { allowedChanges, scheduledVersion } from './change.ts'
import { type DocumentList, documentsOnPage, documentsUrlOf, findDocuments, zipOf } from './documents.ts'
import { type EnteredPage, enterPage, inSession } from './enter.ts'
import { isCancelable, subscriptionOf } from './own-subscription.ts'
import { subscriptionView } from './views.ts'

export { portalCookie } from '../../modules/portal/browser.ts'

const mostSubscriptions = 50

const documentsOnOverview = 5

export async function loadShell(visitor: Visitor): Promise<Loaded<PortalFrame | PortalEnded>> {
  const view = (await enterPage(visitor))?.frame ?? (await portalEnded(visitor))
  return view ? { status: 200, view } : unknownLink
}

export const loadOverview = async (visitor: Visitor) => inSession(await overview(visitor), visitor)

export const loadDocuments = async (visitor: Visitor, query: URLSearchParams) =>
  inSession(await documentsPage(query, visitor), visitor)

export const loadSubscription = async (id: string, visitor: Visitor) =>
  inSession(await subscriptionPage(id, visitor), visitor)

export const loadCancellation = async (id: string, visitor: Visitor) =>
  inSession(await cancelPage(id, visitor), visitor)

export async function overview(visitor: Visitor): Promise<PortalOverview | null> {
  const entered = await enterPage(visitor)
  if (!entered) return null
  const { tenant, customer, now } = entered
  const subscriptions = await newestSubscriptionsOf(db(), tenant, customer.id, mostSubscriptions)
  return {
    ...entered.frame,
    detailsUrl: subscriptions.some(({ status }) => status !== 'canceled') ? '/portal/details' : null,
    subscriptions: await Promise.all(subscriptions.map((each) => subscriptionView(tenant, each, now))),
    withdrawals: await withdrawalsOf(entered),
    ...(await newestDocuments(entered, null)),
  }
}

async function newestDocuments(entered: EnteredPage, subscriptionId: string | null) {
  const list = { subscriptionId, before: null }
  const { older, ...found } = await findDocuments(entered, list, documentsOnOverview)
  return { ...found, documentsUrl: older === null ? null : documentsUrlOf(list) }
}

export async function subscriptionPage(id: string, visitor: Visitor): Promise<PortalSubscriptionPage | null> {
  const found = await findOwn(id, visitor)
  if (!found) return null
  const { entered, subscription } = found
  const view = await subscriptionView(entered.tenant, subscription, entered.now)
  return {
    ...entered.frame,
    ...(await newestDocuments(entered, id)),
    subscription: view,
    cancelUrl: isCancelable(subscription) ? `${view.url}/cancel` : null,
    resume: resumeView(subscription, entered.now),
    canUpdate: rules.isOngoing(subscription),
    ...(await changeViews(entered, subscription)),
    submitUrl: `${view.url}/submit`,
  }
}

async function changeViews(
  { tenant }: EnteredPage,
  subscription: rules.Subscription,
): Promise<Pick<PortalSubscriptionPage, 'change' | 'undo'>> {
  const allowed = await allowedChanges(db(), subscription, tenant)
  if (!allowed) return { change: null, undo: null }
  const hasPlans = plansToSwitchTo(allowed, subscription).length > 0
  const of = allowed.quantity && hasPlans ? 'both' : hasPlans ? 'plan' : 'quantity'
  return {
    change: { url: `/portal/subscriptions/${subscription.id}/change`, of },
    undo: undoScheduled(subscription, allowed) && {
      scheduled: scheduledVersion(subscription),
      formKey: newFormKey(),
    },
  }
}

/** Returns null if no session is open, or if the subscription cannot be canceled. */
export async function cancelPage(id: string, visitor: Visitor): Promise<PortalCancelPage | null> {
  const found = await findOwn(id, visitor)
  if (!found || !isCancelable(found.subscription)) return null
  const { entered, subscription } = found
  const canceled = rules.cancel(subscription, { immediately: false, reason: 'customer_request', now: entered.now })
  const endsAt = canceled?.next.status === 'on_grace_period' ? canceled.next.renewedUntil : null
  const view = await subscriptionView(entered.tenant, subscription, entered.now)
  return {
    ...entered.frame,
    // The page shows the amount that will be unpaid after the cancellation.
    subscription: { ...view, unpaid: await unpaidOf(db(), { id, runsUntil: endsAt }) },
    endsAt: endsAt && toWire(endsAt),
    submitUrl: `${view.url}/submit`,
  }
}

const listIn = (query: URLSearchParams): DocumentList => {
  const before = query.get('before')
  return {
    subscriptionId: query.get('subscription'),
    before: before !== null && isId('order_', before) ? before : null,
  }
}

export async function documentsPage(query: URLSearchParams, visitor: Visitor): Promise<PortalDocumentsPage | null> {
  const entered = await enterPage(visitor)
  if (!entered) return null
  const list = listIn(query)
  const subscription = list.subscriptionId === null ? null : await subscriptionOf(entered, list.subscriptionId)
  if (list.subscriptionId !== null && !subscription) return null
  const { older, ...found } = await findDocuments(entered, list, documentsOnPage)
  return {
    ...entered.frame,
    ...found,
    subscription: subscription && { name: subscription.name, url: `/portal/subscriptions/${subscription.id}` },
    olderUrl: older === null ? null : documentsUrlOf({ ...list, before: older }),
    newestUrl: list.before === null ? null : documentsUrlOf({ ...list, before: null }),
  }
}

/** Returns null if no session is open, or for another customer's subscription. Throws `Busy` if too many requests wait. */
export async function documentsZip(
  query: URLSearchParams,
  visitor: Visitor,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; locale: PortalFrame['locale'] } | null> {
  const entered = await enterPage(visitor)
  const list = listIn(query)
  if (!entered || (list.subscriptionId !== null && !(await subscriptionOf(entered, list.subscriptionId)))) return null
  return { bytes: await zipOf(entered, list), locale: entered.frame.locale }
}

async function findOwn(
  id: string,
  visitor: Visitor,
): Promise<{ entered: EnteredPage; subscription: rules.Subscription } | null> {
  const entered = await enterPage(visitor)
  const subscription = entered && (await subscriptionOf(entered, id))
  return entered && subscription && { entered, subscription }
}

function resumeView(subscription: rules.Subscription, now: Date): PortalSubscriptionPage['resume'] {
  const { status, renewedUntil } = subscription
  if (status !== 'on_grace_period' || renewedUntil === null || renewedUntil <= now) return null
  return { nextCharge: nextChargeView(rules.resume(subscription, now), now) }
}
