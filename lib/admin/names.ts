import type { Named } from '../kernel/named.ts'
import { findCustomer } from '../modules/customers/store.ts'
import { numbersOf } from '../modules/orders/by-number.ts'
import { findPaymentLink } from '../modules/payment-links/store.ts'
import { findSubscription } from '../modules/subscriptions/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'

/**
 * Each function in this file returns an id with the display name of the object that has this id. It returns null if the
 * id is null.
 */

export async function namedCustomer(tenant: Tenant, id: string | null): Promise<Named | null> {
  const customer = id === null ? null : await findCustomer(db(), tenant, id)
  return id === null ? null : { id, name: customer && (customer.name || customer.email) }
}

export async function namedOrder(tenant: Tenant, id: string | null): Promise<Named | null> {
  return id === null ? null : { id, name: (await numbersOf(db(), tenant, [id])).get(id) ?? null }
}

export async function namedSubscription(tenant: Tenant, id: string | null): Promise<Named | null> {
  const found = id === null ? null : await findSubscription(db(), tenant, id)
  return id === null ? null : { id, name: found && `${found.quantity} × ${found.name}` }
}

export async function namedPaymentLink(tenant: Tenant, id: string | null): Promise<Named | null> {
  return id === null ? null : { id, name: (await findPaymentLink(db(), tenant, id))?.name ?? null }
}
