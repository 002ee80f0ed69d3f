import type { Customer } from '../../modules/customers/store.ts'
import { emailStatuses, emailsTo } from '../../modules/emails/store.ts'
import { now, type Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { addressesOf } from './addresses.ts'

/** The emails to a customer that were found at a moment on the storefront's clock. */
export interface FoundEmails {
  readonly ids: readonly string[]
  readonly at: Date
}

/** Finds them outside of a transaction: the storefront may have written any number of emails since the customer exists. */
export async function findEmails(tenant: Tenant, { id, createdAt }: Customer): Promise<FoundEmails> {
  const at = await now(db(), tenant)
  const emails = await emailsTo(db(), tenant, await addressesOf(db(), tenant, id), createdAt)
  return { ids: emails.map((email) => email.id), at }
}

/** Far longer than a transaction lasts: an email is dated at the begin of the one that writes it. */
const overlapMs = 60 * 60 * 1000

/** The found emails as they are by now, and those written since. */
export async function withLaterEmails(
  sql: Sql,
  tenant: Tenant,
  { id, createdAt }: Customer,
  found: FoundEmails,
): Promise<{ id: string; status: string }[]> {
  const since = new Date(Math.max(found.at.getTime() - overlapMs, createdAt.getTime()))
  const later = await emailsTo(sql, tenant, await addressesOf(sql, tenant, id), since)
  return emailStatuses(sql, [...new Set([...found.ids, ...later.map((email) => email.id)])])
}
