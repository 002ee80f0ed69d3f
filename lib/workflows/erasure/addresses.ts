import { emailsOf } from '../../modules/customers/store.ts'
import * as store from '../../modules/personal-data/store.ts'
import { emailChangesOf } from '../../modules/portal/email-changes.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Every address that a customer has or had, as far as it is stored. */
export async function addressesOf(sql: Sql, tenant: Tenant, customerId: string): Promise<ReadonlySet<string>> {
  const [own, onOrders, changes] = [
    await emailsOf(sql, tenant, [customerId]),
    await store.addressesOnOrders(sql, customerId),
    await emailChangesOf(sql, tenant, customerId),
  ]
  const ofChanges = changes.flatMap(({ from, to }) => [from, to])
  // Emails and changes that cannot be read have an empty one: those are not this customer's.
  return new Set([...own.values(), ...onOrders, ...ofChanges].filter((address) => address !== ''))
}
