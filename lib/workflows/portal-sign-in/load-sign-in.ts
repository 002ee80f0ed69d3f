import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { negotiateLocale } from '../../kernel/locale.ts'
import { type Customer, findCustomer } from '../../modules/customers/store.ts'
import { sessionOf } from '../../modules/portal/browser.ts'
import { portalLinkPath, portalSignInPath, signInTenant } from '../../modules/portal/link.ts'
import type { PortalEnded, PortalLinkPage, PortalSignInPage } from '../../modules/portal/page.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { linkState } from '../../modules/portal/rules/session.ts'
import { type FoundSession, findSessionAnywhere } from '../../modules/portal/store.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { formStateOf } from '../../platform/http/form-state.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { frameOf, localeOf } from './frame.ts'

export async function loadPortalLink(token: string, visitor: Visitor): Promise<Loaded<PortalLinkPage>> {
  const view = await portalLinkPage(token, visitor)
  return view ? { status: view.state === 'usable' ? 200 : 410, view } : unknownLink
}

export async function portalLinkPage(token: string, visitor: Visitor): Promise<PortalLinkPage | null> {
  const found = await findLink(token)
  if (!found) return null
  const { session, tenant, customer } = found
  return {
    ...(await frameOf(tenant, await localeOf(found, visitor))),
    maskedEmail: maskedEmail(customer.email),
    submitUrl: `${portalLinkPath(session.id)}/submit`,
    state: linkState(session, await clockNow(db(), tenant)),
  }
}

export async function loadPortalSignIn(
  token: string,
  visitor: Visitor,
  query: URLSearchParams,
): Promise<Loaded<PortalSignInPage>> {
  const view = await portalSignInPage(token, query.get('form'), visitor)
  return view ? { status: 200, view } : unknownLink
}

export async function portalSignInPage(
  token: string,
  form: string | null,
  visitor: Visitor,
): Promise<PortalSignInPage | null> {
  const tenant = await signInTenant(token)
  if (!tenant) return null
  const page = portalSignInPath(tenant)
  return {
    ...(await frameOf(tenant, negotiateLocale(visitor.acceptLanguage))),
    submitUrl: `${page}/submit`,
    typed: formStateOf(page, form, visitor.header('cookie')).typed.email ?? '',
  }
}

export async function portalEnded(visitor: Visitor): Promise<PortalEnded | null> {
  const found = await sessionOf(visitor.header('cookie'))
  if (!found) return null
  const frame = await frameOf(found.tenant, await localeOf(found, visitor))
  return { ...frame, signInUrl: portalSignInPath(found.tenant) }
}

export async function findLink(token: string): Promise<(FoundSession & { readonly customer: Customer }) | null> {
  const id = openLinkToken('portal', 'portal_session_', token)
  const found = id === null ? null : await findSessionAnywhere(db(), id)
  const customer = found && (await findCustomer(db(), found.tenant, found.session.customerId))
  return found && customer && !customer.erasedAt ? { ...found, customer } : null
}
