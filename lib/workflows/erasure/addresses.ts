import * as store from '../../modules/personal-data/store.ts'
import { emailChangesOf } from '../../modules/portal/email-changes.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/** Every address that a customer has or had, as far as it is stored. */
export async function addressesOf(tenant: Tenant, customerId: string): Promise<ReadonlySet<string>> {
  const [customer, onOrders, changes] = [
    await db().customers.findUniqueOrThrow({ where: { id: customerId }, select: { email: true } }),
    await store.addressesOnOrders(db(), customerId),
    await emailChangesOf(db(), tenant, customerId),
  ]
  return new Set([customer.email, ...onOrders, ...changes.flatMap(({ from, to }) => [from, to])])
}
