import type { Loaded } from '../../kernel/hosted-pages.ts'
import { type Customer, findCustomer } from '../../modules/customers/store.ts'
import { openSessionOf, sessionOf } from '../../modules/portal/browser.ts'
import type { PortalFrame, PortalNotice } from '../../modules/portal/page.ts'
import type { FoundSession } from '../../modules/portal/store.ts'
import { byCustomer, now as clockNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { oncePerRequest } from '../../platform/http/once-per-request.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { frameOf, localeOf } from '../portal-sign-in/frame.ts'

export interface Entered extends FoundSession {
  readonly customer: Customer
  readonly now: Date
}

export interface EnteredPage extends Entered {
  readonly frame: PortalFrame
}

export async function enter(cookies: string | null): Promise<Entered | null> {
  const found = await openSessionOf(cookies)
  const customer = found && (await findCustomer(db(), found.tenant, found.session.customerId))
  if (!found || !customer || customer.erasedAt) return null
  const tenant = byCustomer(found.tenant)
  return { ...found, tenant, customer, now: await clockNow(db(), tenant) }
}

/** The proxy, the layout, and the page of a request share one lookup of the session. */
export const enterPage = (visitor: Visitor): Promise<EnteredPage | null> =>
  oncePerRequest('portal session', async () => {
    const entered = await enter(visitor.header('cookie'))
    return entered && { ...entered, frame: await portalFrame(entered, visitor) }
  })

/**
 * Responds with the view and the status 200. If the view is null, responds with 403 if the session of the browser has
 * ended, and otherwise with 404.
 */
export async function inSession<View>(view: View | null, visitor: Visitor): Promise<Loaded<View>> {
  if (view) return { status: 200, view }
  const isOver = !(await enterPage(visitor)) && (await sessionOf(visitor.header('cookie'))) !== null
  return { status: isOver ? 403 : 404, view: null }
}

async function portalFrame(entered: Entered, visitor: Visitor): Promise<PortalFrame> {
  const { session, tenant, customer } = entered
  const frame = await frameOf(tenant, await localeOf(entered, visitor))
  const { email, timeZone } = customer
  return { ...frame, email, timeZone, statementName: config().seller.statementName, returnUrl: session.returnUrl }
}

export const noticed = (page: string, notice: PortalNotice): string => `${page}?done=${notice}`
