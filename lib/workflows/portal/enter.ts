import { type Customer, findCustomer } from '../../modules/customers/store.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import type { PortalFrame, PortalNotice } from '../../modules/portal/page.ts'
import type { FoundSession } from '../../modules/portal/store.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { frameOf, localeOf } from '../portal-sign-in/frame.ts'
import type { Visitor } from '../sale/hosted.ts'

/** A customer whose browser has an open session. */
export interface Entered extends FoundSession {
  readonly customer: Customer
  readonly now: Date
}

/** Null without an open session, and if the customer was erased. */
export async function enter(cookies: string | null): Promise<Entered | null> {
  const found = await openSessionOf(cookies)
  const customer = found && (await findCustomer(db(), found.tenant, found.session.customerId))
  if (!found || !customer || customer.erasedAt) return null
  return { ...found, customer, now: await clockNow(db(), found.tenant) }
}

export async function portalFrame(entered: Entered, visitor: Visitor): Promise<PortalFrame> {
  const { session, tenant, customer } = entered
  const frame = await frameOf(tenant, await localeOf(entered, visitor))
  return { ...frame, email: customer.email, returnUrl: session.returnUrl }
}

/** A page that shows what the last form did. */
export const noticed = (page: string, notice: PortalNotice): string => `${page}?done=${notice}`
