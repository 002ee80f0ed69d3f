import type { z } from 'zod'
import { defined } from '../../kernel/fields.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { type Transaction, transact } from '../events/transact.ts'
import type { createCustomer, listCustomers, updateCustomer } from './contract.ts'
import { customerResource } from './resource.ts'
import * as store from './store.ts'

/**
 * Returns the existing customer with the canonical email address, or creates a customer. The insert is sent together
 * with COMMIT, which saves a round trip. If another customer has the address, the transaction rolls back and the
 * existing customer is read.
 */
export async function getOrCreate(context: RequestContext, body: z.infer<typeof createCustomer.body & object>) {
  const customerFor = ({ newId, now, testmode }: Transaction) =>
    store.customerWith({ id: newId('customer_'), testmode, createdAt: now, ...defined(body) })
  try {
    return await transact(context, async (tx) => {
      const customer = customerFor(tx)
      tx.changeLast(store.insertionOf(tx, customer))
      return { created: true, customer: customerResource(customer) }
    })
  } catch (error) {
    if (!(error instanceof store.AddressTaken)) throw error
  }
  return transact(context, async (tx) => {
    const held = await store.shareCustomerWithEmail(tx.sql, tx, body.email)
    if (held) return { created: false, customer: customerResource(held) }
    const { created, customer } = await store.getOrInsertCustomer(tx.sql, tx, customerFor(tx))
    return { created, customer: customerResource(customer) }
  })
}

export async function get(tenant: Tenant, id: string) {
  const customer = await store.findCustomer(db(), tenant, id)
  if (!customer) throw new Refusal('not_found')
  return customerResource(customer)
}

export async function list(tenant: Tenant, query: z.infer<typeof listCustomers.query & object>, url: URL) {
  return listEnvelope(await store.pageOfCustomers(db(), tenant, query, query.email), query, url, customerResource)
}

export async function validateReferences(
  tenant: Tenant,
  id: string,
  { email }: WellFormed<z.infer<typeof updateCustomer.body & object>>,
): Promise<FieldErrors> {
  const customer = await store.findCustomer(db(), tenant, id)
  return customer && email !== undefined && (await isHeld(db(), tenant, customer, email)) ? { email: [held] } : {}
}

const held = 'Another customer of this storefront and mode holds this address.'
const isHeld = async (sql: Sql, tenant: Tenant, customer: store.Customer, email: string): Promise<boolean> =>
  email !== customer.email && (await store.findCustomerByEmail(sql, tenant, email)) !== null

export async function update(context: RequestContext, id: string, body: z.infer<typeof updateCustomer.body & object>) {
  return transact(context, async ({ sql, ...tenant }) => {
    const customer = await store.lockCustomer(sql, tenant, id)
    if (!customer) throw new Refusal('not_found')
    if (customer.erasedAt) throw invalid('id', 'The personal data of this customer was erased.')
    const email = body.email ?? customer.email
    if (await isHeld(sql, tenant, customer, email)) throw invalid('email', held)
    const next = { ...customer, ...defined(body) }
    await store.saveCustomer(sql, next)
    return customerResource(next)
  })
}
