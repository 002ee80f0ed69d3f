import { isId } from '../../kernel/ids.ts'
import { locales } from '../../kernel/locale.ts'
import { lookUp } from '../../kernel/look-up.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { lockCustomer, saveCustomer } from '../../modules/customers/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { lockOrRefuse } from '../../modules/subscriptions/lock.ts'
import { readFeedback } from '../../modules/subscriptions/rules/feedback.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { createLink as createInvoiceUpdateLink } from '../invoice-update/operations.ts'
import { cancelSubscription, resumeSubscription } from '../subscription-change/steps.ts'
import { enter, noticed } from './enter.ts'
import { subscriptionOf } from './own-subscription.ts'
import { undoChange } from './submit-change.ts'

/**
 * Redirects to the overview without any effect if the subscription belongs to another customer. The call is safe to repeat. Returns null if no session
 * is open.
 */
export async function submitSubscription(
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const subscription = await subscriptionOf(entered, id)
  if (!subscription) return { redirectTo: '/portal' }
  const page = `/portal/subscriptions/${id}`
  if (form.get('intent') === 'undo') return { redirectTo: noticed(page, await undoChange(entered, subscription, form)) }
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
    const feedback = readFeedback(form.get('reason'), form.get('comment'))
    await cancelSubscription(tx, id, { immediately: false, reason: 'customer_request', feedback })
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

/** Redirects to the overview if the order has no invoice or belongs to another customer. Returns null if no session is open. */
export async function submitDocument(
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const { tenant, customer } = entered
  const id = form.get('order') ?? ''
  const order = isId('order_', id) ? await findOrder(db(), tenant, id) : null
  if (order?.customerId !== customer.id || !order.invoice) return { redirectTo: '/portal' }
  return { redirectTo: (await createInvoiceUpdateLink(tenant, id)).href }
}

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
