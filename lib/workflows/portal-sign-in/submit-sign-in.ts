import { canonicalEmail } from '../../kernel/email.ts'
import { sealAddress } from '../../modules/emails/sealed-address.ts'
import { transact } from '../../modules/events/transact.ts'
import { portalCookie, sessionOf } from '../../modules/portal/browser.ts'
import { portalLinkPath, portalSignInPath, signInTenant } from '../../modules/portal/link.ts'
import { linkState } from '../../modules/portal/rules/session.ts'
import { endSession, redeem } from '../../modules/portal/store.ts'
import { emailPortalLink } from '../../modules/portal/tasks.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { endedCookie, sessionCookie } from '../../platform/http/cookies.ts'
import { leaveFor, type Next } from '../../platform/http/form-state.ts'
import { findLink } from './load-sign-in.ts'

/** Only one of several concurrent calls opens a session. The intent `email` sends a new link instead. Returns null if the link is unknown. */
export async function submitPortalLink(token: string, form: URLSearchParams): Promise<Next | null> {
  const found = await findLink(token)
  if (!found) return null
  const { session, tenant, customer } = found
  const cancels = form.has('cancel')
  if (form.get('intent') === 'email') {
    await enqueueLink(tenant, customer.email, cancels)
    return { redirectTo: signInStateOf(tenant, 'sent', cancels) }
  }
  const { secret, hash } = newSecret()
  const isRedeemed = await transact(tenant, async ({ sql, now }) =>
    linkState(session, now) === 'usable' ? redeem(sql, session.id, { hash, at: realNow() }) : false,
  )
  if (!isRedeemed) return { redirectTo: `${portalLinkPath(session.id)}${cancels ? '?cancel' : ''}` }
  return { redirectTo: cancels ? '/portal#subscriptions' : '/portal', cookie: sessionCookie(portalCookie, secret) }
}

/** The response does not reveal whether the address is known, because a task checks the address later. Returns null if the storefront does not exist. */
export async function submitPortalSignIn(token: string, form: URLSearchParams): Promise<Next | null> {
  const tenant = await signInTenant(token)
  if (!tenant) return null
  const page = portalSignInPath(tenant)
  const cancels = form.has('cancel')
  const typed = (form.get('email') ?? '').slice(0, 300)
  const email = canonicalEmail(typed)
  if (email === null) {
    const next = leaveFor(page, signInStateOf(tenant, 'invalid', cancels), { typed: { email: typed }, problems: {} })
    return { ...next, redirectTo: `${next.redirectTo}#email` }
  }
  await enqueueLink(tenant, email, cancels)
  return { redirectTo: signInStateOf(tenant, 'sent', cancels) }
}

/** The URL keeps the parameter `cancel`, so that a customer who wants to cancel is led to the subscriptions. */
export const signInStateOf = (tenant: Tenant, state: 'sent' | 'invalid', cancels: boolean): string =>
  `${portalSignInPath(tenant)}?${cancels ? 'cancel&' : ''}${state}`

export async function signOut(cookies: string | null): Promise<Next> {
  const found = await sessionOf(cookies)
  if (!found) return { redirectTo: '/portal' }
  await endSession(db(), found.session.id, realNow())
  return { redirectTo: `${portalSignInPath(found.tenant)}?signed-out`, cookie: endedCookie(portalCookie) }
}

/** If `cancels` is set, the link leads to the subscriptions. */
export async function enqueueLink(tenant: Tenant, email: string, cancels: boolean): Promise<void> {
  const key = newId('task_', realNow())
  const data = { key, sealedEmail: sealAddress(email, key), cancels }
  await transact(tenant, (tx) => tx.enqueue(emailPortalLink, { key, data, dueAt: realNow() }))
}
