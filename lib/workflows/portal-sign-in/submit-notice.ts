import { findCheckout } from '../../modules/checkouts/store.ts'
import { shareCustomer } from '../../modules/customers/store.ts'
import { portalNoticePath } from '../../modules/emails/link.ts'
import type { StoredEmail } from '../../modules/emails/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { portalCookie } from '../../modules/portal/browser.ts'
import { makeSession } from '../../modules/portal/link.ts'
import { isNoticeOver } from '../../modules/portal/rules/session.ts'
import { redeem } from '../../modules/portal/store.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { sessionCookie } from '../../platform/http/cookies.ts'
import type { Next } from '../../platform/http/form-state.ts'
import { findNotice, isForReader } from './load-notice.ts'
import { enqueueLink, signInStateOf } from './submit-sign-in.ts'

/**
 * Opens the portal on the page of the subscription that the email is about, or on the overview. The intent `email` sends a new link instead. Returns
 * null if the link is unknown.
 */
export async function submitPortalNotice(token: string, form: URLSearchParams): Promise<Next | null> {
  const found = await findNotice(token)
  if (!found) return null
  const { email, tenant, customer } = found
  if (form.get('intent') === 'email') {
    await enqueueLink(tenant, email.to, false)
    return { redirectTo: signInStateOf(tenant, 'sent', false) }
  }
  const { secret, hash } = newSecret()
  const isOpened = await transact(tenant, async (tx) => {
    // The lock prevents a concurrent erasure or change of the address.
    const locked = await shareCustomer(tx.sql, tenant, customer.id)
    const isUsable = locked && !locked.erasedAt && isForReader({ ...found, customer: locked })
    if (!isUsable || isNoticeOver(email.createdAt, tx.now)) return false
    const { id } = await makeSession(tx, { customerId: customer.id, returnUrl: null }, 'notice')
    return redeem(tx.sql, id, { hash, at: realNow() })
  })
  if (!isOpened) return { redirectTo: portalNoticePath(email.id) }
  return { redirectTo: await subjectPath(tenant, email), cookie: sessionCookie(portalCookie, secret) }
}

/**
 * Returns the path of the subscription if the email is about exactly one subscription. Otherwise returns the path of
 * the overview.
 */
async function subjectPath(tenant: Tenant, { subscriptionId, orderId }: StoredEmail): Promise<string> {
  const ids = subscriptionId === null && orderId !== null ? await subscriptionsOf(tenant, orderId) : [subscriptionId]
  const [only] = ids
  return only && ids.length === 1 ? `/portal/subscriptions/${only}` : '/portal'
}

async function subscriptionsOf(tenant: Tenant, orderId: string): Promise<string[]> {
  const order = await findOrder(db(), tenant, orderId)
  if (order?.subscriptionId) return [order.subscriptionId]
  const checkout = order?.checkoutId ? await findCheckout(db(), tenant, order.checkoutId) : null
  const sold = await subscriptionsOfLines(db(), checkout?.lines.map(({ id }) => id) ?? [])
  return [...sold.values()].map(({ id }) => id)
}
