import type { z } from 'zod'
import { addDuration } from '../../kernel/calendar.ts'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireSelling } from '../accounts/require-selling.ts'
import { isOnSale, type Product } from '../catalog/rules/index.ts'
import * as catalog from '../catalog/store.ts'
import { type Customer, findCustomer, shareCustomer } from '../customers/store.ts'
import { transact } from '../events/transact.ts'
import { mostPerLine } from '../orders/rules/order.ts'
import type { CheckoutItem, createCheckout, listCheckouts } from './contract.ts'
import { checkoutResource } from './resource.ts'
import { type Checkout, type CheckoutLine, withCheckoutId } from './rules/index.ts'
import * as store from './store.ts'
import { expireCheckout } from './tasks.ts'

type Body = z.infer<typeof createCheckout.body & object>
type Item = z.infer<typeof CheckoutItem>

/**
 * Creates a checkout with a snapshot of its products. Refuses `storefront_suspended`, and `validation_failed`, with all wrong fields: unknown,
 * inactive or archived products, mixed tax behavior, lines over 99,999,999.99, an unknown customer.
 */
export async function create(context: RequestContext, body: Body) {
  return transact(context, async (tx) => {
    const { sql, now, newId, enqueue, ...tenant } = tx
    const ids = body.products.map((item) => item.id)
    const [products, customer] = await Promise.all([
      catalog.findProducts(sql, tenant, ids),
      body.customerId ? shareCustomer(sql, tenant, body.customerId) : null,
      requireSelling(sql, tenant),
    ])
    const errors = { ...itemProblems(body.products, products), ...customerProblem(body.customerId, customer) }
    if (Object.keys(errors).length > 0) throw new Refusal('validation_failed', errors)

    const id = newId('checkout_')
    const lines = body.products.map((item) => snapshot(newId('checkout_item_'), item, products.get(item.id)))
    const checkout: Checkout = {
      id,
      testmode: tenant.testmode,
      status: 'created',
      customerId: body.customerId ?? null,
      taxBehavior: [...products.values()][0]?.taxBehavior ?? 'exclusive',
      redirectUrlSuccess: withCheckoutId(body.redirectUrlSuccess, id),
      redirectUrlCanceled: withCheckoutId(body.redirectUrlCanceled, id),
      metadata: body.metadata ?? null,
      locale: body.locale ?? null,
      billingAddress: prefill(body.billingAddress),
      draft: null,
      expiresAt: addDuration(now, config().checkoutTtl) ?? now,
      createdAt: now,
      lines,
    }
    await Promise.all([
      store.insertCheckout(sql, tenant, checkout),
      enqueue(expireCheckout, { key: id, data: { checkoutId: id }, dueAt: checkout.expiresAt }),
    ])
    return checkoutResource(checkout, null)
  })
}

/** Refuses `not_found`. */
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

/** The orders of checkouts that were read as paid. A checkout paid after that read is shown as it was read. */
async function ordersOfPaid(checkouts: readonly Checkout[]): Promise<Map<string, string>> {
  const paid = checkouts.filter(({ status }) => status === 'paid')
  return paid.length === 0
    ? new Map()
    : store.paidOrderIds(
        db(),
        paid.map(({ id }) => id),
      )
}

const otherMode = 'Check that it belongs to the mode of your API key.'

/**
 * Checks the references of a request that the schema refuses. Every field that is well-formed is checked, so that the
 * merchant gets all problems in one response.
 */
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

/** The schema has already reported the missing fields of an item. */
function itemProblems(
  items: readonly Partial<Item>[],
  products: ReadonlyMap<string, Product>,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  const first = items.map(({ id = '' }) => products.get(id)).find((product) => product !== undefined)
  for (const [index, item] of items.entries()) {
    if (item.id === undefined) continue
    const product = products.get(item.id)
    if (!product) {
      errors[`products.${index}.id`] = [`The selected product does not exist. ${otherMode}`]
      continue
    }
    if (!isOnSale(product)) {
      errors[`products.${index}.id`] = [
        product.archivedAt
          ? 'The selected product is archived.'
          : `The selected product is not active: it is ${product.status}.`,
      ]
    } else if (product.taxBehavior !== first?.taxBehavior) {
      errors[`products.${index}.id`] = ['All products of a checkout must have the same taxBehavior.']
    }
    if ((item.price ?? product.terms.price).minor * BigInt(item.quantity ?? 1) > mostPerLine) {
      errors[`products.${index}.quantity`] = ['Price times quantity must be at most 99999999.99.']
    }
    if (item.trialDays && !product.terms.billingInterval)
      errors[`products.${index}.trialDays`] = ['Only a subscription plan can have a trial.']
  }
  return errors
}

function customerProblem(customerId: string | null | undefined, customer: Customer | null): Record<string, string[]> {
  if (!customerId || (customer && !customer.erasedAt)) return {}
  if (customer) return { customerId: ['The data of this customer were erased.'] }
  return { customerId: [`The customer does not exist. ${otherMode}`] }
}

function snapshot(id: string, item: Item, product: Product | undefined): CheckoutLine {
  if (!product) throw new Error('a product passed its check and is gone')
  const { name, description, price, productType, billingInterval } = product.terms
  return {
    id,
    productId: product.id,
    name,
    description,
    unitPrice: (item.price ?? price).minor,
    quantity: item.quantity,
    productType,
    billingInterval,
    trialDays: item.trialDays ?? null,
    metadata: item.metadata ?? null,
  }
}

const prefill = (address: Body['billingAddress']): Checkout['billingAddress'] =>
  Object.fromEntries(Object.entries(address ?? {}).map(([field, value]) => [field, value || null]))
