import { isId } from '../../kernel/ids.ts'
import { locales } from '../../kernel/locale.ts'
import { lookUp } from '../../kernel/look-up.ts'
import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { lockCustomer, saveCustomer } from '../../modules/customers/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { invoicesOf } from '../../modules/orders/store.ts'
import { sessionOf } from '../../modules/portal/browser.ts'
import type {
  PortalCancelPage,
  PortalDocumentsPage,
  PortalEnded,
  PortalFrame,
  PortalOverview,
  PortalSubscriptionPage,
} from '../../modules/portal/page.ts'
import { readFeedback } from '../../modules/portal/rules/feedback.ts'
import { saveFeedback } from '../../modules/portal/store.ts'
import { unpaidOf } from '../../modules/recovery/unpaid.ts'
import { lockOrRefuse } from '../../modules/subscriptions/lock.ts'
import { nextChargeView } from '../../modules/subscriptions/next-charge.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, newestSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { localeOf } from '../portal-sign-in/frame.ts'
import { portalEnded } from '../portal-sign-in/hosted.ts'
import type { Visitor } from '../sale/hosted.ts'
import { cancelSubscription, resumeSubscription } from '../subscription-change/steps.ts'
import { withdrawalsOf } from '../withdrawal/open.ts'
import { documentsOnPage, zipOf } from './documents.ts'
import { type Entered, enter, noticed, portalFrame } from './enter.ts'
import { documentView, subscriptionView } from './views.ts'

export { portalCookie } from '../../modules/portal/browser.ts'

/** More subscriptions than a person has; an overview shows the newest. */
const mostSubscriptions = 50
const documentsOnOverview = 5

/** What surrounds every page: the customer of the open session, or how to get in again. Null for a stranger. */
export async function portalShell(visitor: Visitor): Promise<PortalFrame | PortalEnded | null> {
  const entered = await enter(visitor.header('cookie'))
  return entered ? portalFrame(entered, visitor) : portalEnded(visitor)
}

/** The subscriptions and the newest invoices. Null without an open session, as for all pages of the portal. */
export async function overview(visitor: Visitor): Promise<PortalOverview | null> {
  const entered = await enter(visitor.header('cookie'))
  if (!entered) return null
  const { tenant, customer, now } = entered
  const of = { customerId: customer.id, before: null, take: documentsOnOverview + 1 }
  const orders = await invoicesOf(db(), tenant, of)
  const subscriptions = await newestSubscriptionsOf(db(), tenant, customer.id, mostSubscriptions)
  return {
    ...(await portalFrame(entered, visitor)),
    subscriptions: await Promise.all(subscriptions.map((each) => subscriptionView(tenant, each, now))),
    withdrawals: await withdrawalsOf(entered),
    documents: orders.slice(0, documentsOnOverview).map(documentView),
    documentsUrl: orders.length > documentsOnOverview ? '/portal/invoices' : null,
  }
}

/** One subscription. Null as well if it is not the customer's. */
export async function subscriptionPage(id: string, visitor: Visitor): Promise<PortalSubscriptionPage | null> {
  const found = await findOwn(id, visitor)
  if (!found) return null
  const { entered, subscription } = found
  const view = await subscriptionView(entered.tenant, subscription, entered.now)
  return {
    ...(await portalFrame(entered, visitor)),
    subscription: view,
    cancelUrl: isCancelable(subscription) ? `${view.url}/cancel` : null,
    resume: resumeView(subscription, entered.now),
    canUpdate: rules.isOngoing(subscription),
    submitUrl: `${view.url}/submit`,
  }
}

/** What a cancellation would do, by the rule that does it. Null as well if it is not possible (any more). */
export async function cancelPage(id: string, visitor: Visitor): Promise<PortalCancelPage | null> {
  const found = await findOwn(id, visitor)
  if (!found || !isCancelable(found.subscription)) return null
  const { entered, subscription } = found
  const canceled = rules.cancel(subscription, { immediately: false, reason: 'customer_request', now: entered.now })
  const endsAt = canceled?.next.status === 'on_grace_period' ? canceled.next.renewedUntil : null
  const view = await subscriptionView(entered.tenant, subscription, entered.now)
  return {
    ...(await portalFrame(entered, visitor)),
    // What is collected, and what ends without it, is said of the subscription as it is once it is canceled.
    subscription: { ...view, unpaid: await unpaidOf(db(), { id, runsUntil: endsAt }) },
    endsAt: endsAt && toWire(endsAt),
    submitUrl: `${view.url}/submit`,
  }
}

/** Anything but an id begins with the newest. */
const orderIn = (before: string | null) => (before !== null && isId('order_', before) ? before : null)

/** A page of invoices and credit notes, newest first; `from` is the order after which the page begins. */
export async function documentsPage(from: string | null, visitor: Visitor): Promise<PortalDocumentsPage | null> {
  const before = orderIn(from)
  const entered = await enter(visitor.header('cookie'))
  if (!entered) return null
  const of = { customerId: entered.customer.id, before, take: documentsOnPage + 1 }
  const orders = await invoicesOf(db(), entered.tenant, of)
  const shown = orders.slice(0, documentsOnPage)
  const last = orders.length > shown.length ? shown.at(-1) : undefined
  return {
    ...(await portalFrame(entered, visitor)),
    documents: shown.map(documentView),
    olderUrl: last ? `/portal/invoices?before=${last.id}` : null,
    newestUrl: before === null ? null : '/portal/invoices',
    zipUrl: before === null ? '/portal/invoices/zip' : `/portal/invoices/zip?before=${before}`,
  }
}

/** The documents of a page as one ZIP file. Null without an open session. Throws `Busy` if too many wait. */
export async function documentsZip(
  from: string | null,
  visitor: Visitor,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; locale: PortalFrame['locale'] } | null> {
  const entered = await enter(visitor.header('cookie'))
  if (!entered) return null
  const { tenant, customer } = entered
  const orders = await invoicesOf(db(), tenant, {
    customerId: customer.id,
    before: orderIn(from),
    take: documentsOnPage,
  })
  return { bytes: await zipOf(customer.id, orders), locale: await localeOf(entered, visitor) }
}

/** The pages that are not about one subscription. */
const general: ReadonlySet<string> = new Set(['invoices', 'email'])

/** The HTTP status of a page of the portal, by its path below `/portal`. 403: the browser's session is over. */
export async function portalStatus(path: readonly string[], cookies: string | null): Promise<200 | 403 | 404> {
  const entered = await enter(cookies)
  if (!entered) return (await sessionOf(cookies)) ? 403 : 404
  const [section, id, page, ...rest] = path
  if (section === undefined || (general.has(section) && id === undefined)) return 200
  if (section !== 'subscriptions' || id === undefined || rest.length > 0) return 404
  const subscription = await subscriptionOf(entered, id)
  if (!subscription) return 404
  return page === undefined || (page === 'cancel' && isCancelable(subscription)) ? 200 : 404
}

/**
 * A form on a subscription's page: cancel, resume, or change the payment method. Returns where it leads. Null without
 * an open session. A subscription that is not the customer's leads to the overview, and nothing is done; so does a
 * change that is no longer possible, with a notice. Safe to repeat.
 */
export async function submitSubscription(
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  if (!(await subscriptionOf(entered, id))) return { redirectTo: '/portal' }
  const page = `/portal/subscriptions/${id}`
  const act = lookUp(actions, form.get('intent') ?? '')
  if (!act) return { redirectTo: page }
  try {
    return { redirectTo: await transact(entered.tenant, (tx) => act(tx, { id, page, form })) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { redirectTo: noticed(page, 'unchanged') }
  }
}

interface Act {
  readonly id: string
  readonly page: string
  readonly form: URLSearchParams
}

const actions: Readonly<Record<string, (tx: Transaction, act: Act) => Promise<string>>> = {
  async cancel(tx, { id, page, form }) {
    const isNew = await cancelSubscription(tx, id, { immediately: false, reason: 'customer_request' })
    const feedback = readFeedback(form.get('reason'), form.get('comment'))
    if (isNew) await saveFeedback(tx.sql, tx, { subscriptionId: id, feedback, at: tx.now })
    return noticed(page, 'canceled')
  },
  async resume(tx, { id, page }) {
    await resumeSubscription(tx, id)
    return noticed(page, 'resumed')
  },
  async update(tx, { id, page }) {
    if (!rules.isOngoing(await lockOrRefuse(tx, id))) throw new Refusal('subscription_not_changeable')
    const back = { redirectUrlSuccess: pageUrl(noticed(page, 'updated')), redirectUrlCanceled: pageUrl(page) }
    return makeLink(tx, { subscriptionId: id, ...back, billingAddress: null }, 'merchant')
  },
}

/** Saves the language of the portal and of later emails. Null without an open session. */
export async function submitLanguage(
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const locale = locales.find((each) => each === form.get('locale'))
  if (!locale) return { redirectTo: '/portal' }
  await transact(entered.tenant, async ({ sql, ...tenant }) => {
    const customer = await lockCustomer(sql, tenant, entered.customer.id)
    if (customer && !customer.erasedAt) await saveCustomer(sql, { ...customer, locale })
  })
  return { redirectTo: noticed('/portal', 'language') }
}

async function findOwn(
  id: string,
  visitor: Visitor,
): Promise<{ entered: Entered; subscription: rules.Subscription } | null> {
  const entered = await enter(visitor.header('cookie'))
  const subscription = entered && (await subscriptionOf(entered, id))
  return entered && subscription && { entered, subscription }
}

/** Null as well for what is no id: an address can have a text that PostgreSQL refuses to look for. */
const subscriptionOf = async ({ tenant, customer }: Entered, id: string): Promise<rules.Subscription | null> =>
  isId('subscription_', id) ? findSubscription(db(), tenant, id, customer.id) : null

/** Whether a cancellation would change something. */
function isCancelable(subscription: rules.Subscription): boolean {
  const { status } = subscription
  return status === 'trial' || status === 'active' || status === 'paused'
}

/** By the rule that would do it. */
function resumeView(subscription: rules.Subscription, now: Date): PortalSubscriptionPage['resume'] {
  const { status, renewedUntil } = subscription
  if (status !== 'on_grace_period' || renewedUntil === null || renewedUntil <= now) return null
  return { nextCharge: nextChargeView(rules.resume(subscription, now), now) }
}
