import * as store from '../../modules/personal-data/store.ts'
import { emailChangesOf } from '../../modules/portal/email-changes.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Every address that a customer has or had, as far as it is stored. */
export async function addressesOf(sql: Sql, tenant: Tenant, customerId: string): Promise<ReadonlySet<string>> {
  const [customer, onOrders, changes] = [
    await sql.customers.findUniqueOrThrow({ where: { id: customerId }, select: { email: true } }),
    await store.addressesOnOrders(sql, customerId),
    await emailChangesOf(sql, tenant, customerId),
  ]
  const ofChanges = changes.flatMap(({ from, to }) => [from, to])
  // Emails and changes that cannot be read have an empty one: those are not this customer's.
  return new Set([customer.email, ...onOrders, ...ofChanges].filter((address) => address !== ''))
}
