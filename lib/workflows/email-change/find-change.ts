import { type Customer, findCustomer } from '../../modules/customers/store.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import * as changes from '../../modules/portal/email-changes.ts'
import type { EmailChange } from '../../modules/portal/rules/email-change.ts'
import type { FoundSession } from '../../modules/portal/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'

export const emailPath = '/portal/email'

export interface FoundChange {
  readonly change: EmailChange
  readonly tenant: Tenant
  readonly customer: Customer
}

export async function findChange(token: string): Promise<FoundChange | null> {
  const id = changes.openEmailChangeToken(token)
  const found = id === null ? null : await changes.findEmailChangeAnywhere(db(), id)
  const customer = found && (await findCustomer(db(), found.tenant, found.change.customerId))
  return found && customer && !customer.erasedAt ? { ...found, customer } : null
}

export async function ownSession({ change, tenant }: FoundChange, visitor: Visitor): Promise<FoundSession | null> {
  const open = await openSessionOf(visitor.header('cookie'))
  const isOwn = open?.session.customerId === change.customerId && open.tenant.testmode === tenant.testmode
  return isOwn ? open : null
}
