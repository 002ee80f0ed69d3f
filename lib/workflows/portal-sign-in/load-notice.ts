import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { type Customer, findCustomer } from '../../modules/customers/store.ts'
import { emailOfNotice, portalNoticePath } from '../../modules/emails/link.ts'
import { findEmailAnywhere, type StoredEmail } from '../../modules/emails/store.ts'
import type { PortalLinkPage } from '../../modules/portal/page.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { isNoticeOver } from '../../modules/portal/rules/session.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { frameOf, localeOf } from './frame.ts'

export interface FoundNotice {
  readonly email: StoredEmail
  readonly tenant: Tenant
  readonly customer: Customer
}

export async function loadPortalNotice(token: string, visitor: Visitor): Promise<Loaded<PortalLinkPage>> {
  const found = await findNotice(token)
  if (!found) return unknownLink
  const { email, tenant, customer } = found
  const isUsable = isForReader(found) && !isNoticeOver(email.createdAt, await clockNow(db(), tenant))
  const locale = await localeOf({ session: { customerId: customer.id }, tenant }, visitor)
  const view = {
    ...(await frameOf(tenant, locale)),
    maskedEmail: maskedEmail(email.to),
    submitUrl: `${portalNoticePath(email.id)}/submit`,
    state: isUsable ? ('usable' as const) : ('expired' as const),
  }
  return { status: isUsable ? 200 : 410, view }
}

export async function findNotice(token: string): Promise<FoundNotice | null> {
  const id = emailOfNotice(token)
  const found = id === null ? null : await findEmailAnywhere(db(), id)
  const customer = found?.email.customerId ? await findCustomer(db(), found.tenant, found.email.customerId) : null
  return found && customer && !customer.erasedAt ? { ...found, customer } : null
}

/**
 * Whether the email was sent to the customer's current address. A link that was sent to a former address opens nothing.
 */
export const isForReader = ({ email, customer }: FoundNotice): boolean => email.to === customer.email
