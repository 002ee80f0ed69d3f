import { emailsOf, findCustomerByEmail } from '../../modules/customers/store.ts'
import type { StoredEmail } from '../../modules/emails/store.ts'
import * as store from '../../modules/personal-data/store.ts'
import { emailChangesOf } from '../../modules/portal/email-changes.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Returns all addresses of a customer, including the addresses in orders and in emails. Excludes an address that another customer has. */
export async function addressesOf(
  sql: Sql,
  tenant: Tenant,
  customerId: string,
  emails: readonly Pick<StoredEmail, 'to'>[],
): Promise<ReadonlySet<string>> {
  const [own, onOrders, changes] = [
    await emailsOf(sql, tenant, [customerId]),
    await store.addressesOnOrders(sql, customerId),
    await emailChangesOf(sql, tenant, customerId),
  ]
  const addresses = new Set([
    ...own.values(),
    ...onOrders,
    ...changes.flatMap(({ from, to }) => [from, to]),
    ...emails.map(({ to }) => to),
  ])
  // Removes the empty address, which stands for each address of an email or an address change that cannot be decrypted.
  addresses.delete('')
  for (const address of addresses) {
    const holder = await findCustomerByEmail(sql, tenant, address)
    if (holder && holder.id !== customerId) addresses.delete(address)
  }
  return addresses
}
