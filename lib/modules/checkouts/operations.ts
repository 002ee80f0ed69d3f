import type { z } from 'zod'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireSelling } from '../accounts/require-selling.ts'
import * as catalog from '../catalog/store.ts'
import { type Customer, findCustomer, shareCustomer } from '../customers/store.ts'
import { transact } from '../events/transact.ts'
import { addCheckout } from './add-checkout.ts'
import type { createCheckout, listCheckouts } from './contract.ts'
import { checkoutResource } from './resource.ts'
import { type Checkout, itemProblems } from './rules/index.ts'
import * as store from './store.ts'

type Body = z.infer<typeof createCheckout.body & object>

/** Throws `storefront_suspended`, or `validation_failed` with all invalid fields. */
export async function create(context: RequestContext, body: Body) {
  return transact(context, async (tx) => {
    const { sql, ...tenant } = tx
    const ids = body.products.map((item) => item.id)
    const [products, customer] = await Promise.all([
      catalog.findProducts(sql, tenant, ids),
      body.customerId ? shareCustomer(sql, tenant, body.customerId) : null,
      requireSelling(sql, tenant),
    ])
    const errors = { ...itemProblems(body.products, products), ...customerProblem(body.customerId, customer) }
    if (Object.keys(errors).length > 0) throw new Refusal('validation_failed', errors)

    const checkout = await addCheckout(tx, {
      items: body.products,
      products,
      customerId: body.customerId ?? null,
      redirectUrlSuccess: body.redirectUrlSuccess,
      redirectUrlCanceled: body.redirectUrlCanceled,
      metadata: body.metadata ?? null,
      locale: body.locale ?? null,
      billingAddress: prefill(body.billingAddress),
      paymentLinkId: null,
      formKey: null,
    })
    return checkoutResource(checkout, null)
  })
}

export async function get(tenant: Tenant, id: string) {
  const checkout = await store.findCheckout(db(), tenant, id)
  if (!checkout) throw new Refusal('not_found')
  return checkoutResource(checkout, (await ordersOfPaid([checkout])).get(id) ?? null)
}

export async function list(tenant: Tenant, query: z.infer<typeof listCheckouts.query & object>, url: URL) {
  const page = await store.pageOfCheckouts(db(), tenant, query, query)
  const orders = await ordersOfPaid(page.rows)
  return listEnvelope(page, query, url, (checkout) => checkoutResource(checkout, orders.get(checkout.id) ?? null))
}

/** Reads orders only for checkouts with the status `paid`, so that a response never combines an order with an open checkout. */
async function ordersOfPaid(checkouts: readonly Checkout[]): Promise<Map<string, string>> {
  const paid = checkouts.filter(({ status }) => status === 'paid')
  return paid.length === 0
    ? new Map()
    : store.paidOrderIds(
        db(),
        paid.map(({ id }) => id),
      )
}

/** Checks even a body that the schema refuses, so that one response lists all problems. */
export async function validateReferences(tenant: Tenant, body: WellFormed<Body>): Promise<FieldErrors> {
  const items = body.products ?? []
  const products = await catalog.findProducts(
    db(),
    tenant,
    items.flatMap(({ id }) => id ?? []),
  )
  const customer = body.customerId ? await findCustomer(db(), tenant, body.customerId) : null
  return { ...itemProblems(items, products), ...customerProblem(body.customerId, customer) }
}

function customerProblem(customerId: string | null | undefined, customer: Customer | null): FieldErrors {
  if (!customerId || (customer && !customer.erasedAt)) return {}
  if (customer) return { customerId: [ruleProblem('customer_erased')] }
  return { customerId: [ruleProblem('customer_missing')] }
}

const prefill = (address: Body['billingAddress']): Checkout['billingAddress'] =>
  Object.fromEntries(Object.entries(address ?? {}).map(([field, value]) => [field, value || null]))
