import { canonicalEmail } from '../kernel/email.ts'
import { likePart } from '../kernel/search-part.ts'
import { isStorableText } from '../kernel/text.ts'
import type { FoundGroup, SearchPage } from '../modules/accounts/page.ts'
import { findStorefront, storefrontIdsOf, storefrontNames } from '../modules/accounts/store.ts'
import { productsWithPart } from '../modules/catalog/search.ts'
import { findTenantOf } from '../modules/catalog/store.ts'
import { tenantOfChargeback } from '../modules/chargebacks/store.ts'
import { findCheckoutAnywhere } from '../modules/checkouts/store.ts'
import { customersWithPart } from '../modules/customers/search.ts'
import { customersWithEmail, tenantOfCustomer } from '../modules/customers/store.ts'
import { tenantOfEmail } from '../modules/emails/store.ts'
import { ordersNumbered } from '../modules/orders/by-number.ts'
import { findOrderAnywhere } from '../modules/orders/store.ts'
import { findPaymentLinkAnywhere } from '../modules/payment-links/store.ts'
import { findRefundAnywhere } from '../modules/refunds/store.ts'
import { tenantOfSubscription } from '../modules/subscriptions/store.ts'
import { findTenantOfDelivery, findTenantOfEndpoint } from '../modules/webhooks/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { personOn } from './access.ts'

interface Found {
  readonly tenant: Tenant
  readonly path: string
  readonly label: string
  readonly detail?: string
  readonly group?: FoundGroup
}

const found = (tenant: Tenant | null | undefined, path: string, label: string): Found[] =>
  tenant ? [{ tenant, path, label }] : []

async function ofCatalog(id: string): Promise<Found[]> {
  return found((await findTenantOf(db(), id))?.tenant, `/catalog/${id}`, id)
}

const byPrefix: Readonly<Record<string, (id: string) => Promise<Found[]>>> = {
  order_: async (id) => found((await findOrderAnywhere(db(), id))?.tenant, `/orders/${id}`, id),
  subscription_: async (id) => found(await tenantOfSubscription(db(), id), `/subscriptions/${id}`, id),
  customer_: async (id) => found(await tenantOfCustomer(db(), id), `/customers/${id}`, id),
  delivery_: async (id) => found(await findTenantOfDelivery(db(), id), `/deliveries/${id}`, id),
  mail_: async (id) => found(await tenantOfEmail(db(), id), `/emails/${id}`, id),
  subscription_plan_: ofCatalog,
  one_off_product_: ofCatalog,
  checkout_: async (id) => found((await findCheckoutAnywhere(db(), id))?.tenant, `/checkouts/${id}`, id),
  payment_link_: async (id) => found((await findPaymentLinkAnywhere(db(), id))?.tenant, `/payment-links/${id}`, id),
  chargeback_: async (id) => found(await tenantOfChargeback(db(), id), `/chargebacks/${id}`, id),
  webhook_: async (id) => found(await findTenantOfEndpoint(db(), id), `/endpoints/${id}`, id),
  async storefront_(id) {
    const isThere = (await findStorefront(db(), id)) !== null
    return isThere ? [true, false].flatMap((testmode) => found({ storefrontId: id, testmode }, '', id)) : []
  },
  async refund_(id) {
    const refund = await findRefundAnywhere(db(), id)
    return found(refund?.tenant, `/orders/${refund?.orderId}`, id)
  },
}

/**
 * Finds a record by its id. Any other text finds customers by a part of the name, company, or email address. The text
 * also finds orders by the beginning of the invoice number, and products by a part of the name. Searches both modes of
 * every storefront that the reader may see.
 */
export async function searchPage(text: string | null, cookies: string | null): Promise<SearchPage | null> {
  const person = await personOn('search', cookies)
  if (!person) return null
  const query = (text ?? '').trim().slice(0, 300)
  const { membership } = person
  const own = membership && (await storefrontIdsOf(db(), membership.merchantId))
  const all = query === '' || !isStorableText(query) ? [] : await search(query, own)
  const shown = all.filter(({ tenant }) => !own || own.includes(tenant.storefrontId))
  const names = await storefrontNames(
    db(),
    shown.map(({ tenant }) => tenant.storefrontId),
  )
  return {
    query,
    isTooShort: query !== '' && likePart(query) === null,
    found: shown.map((each) => shownOf(each, names.get(each.tenant.storefrontId) ?? '')),
  }
}

/** `own` contains the storefronts that the reader may see, or is null for all storefronts. */
async function search(query: string, own: string[] | null): Promise<Found[]> {
  const [, prefix = ''] = /^([a-z_]+_)[0-9A-Za-z]{22}$/.exec(query) ?? []
  const byId = Object.hasOwn(byPrefix, prefix) ? byPrefix[prefix] : undefined
  if (byId) return byId(query)
  const pattern = likePart(query)
  if (pattern === null) return []
  const [customers, orders, products] = await Promise.all([
    customersBy(query, pattern, own),
    ordersNumbered(db(), query.toUpperCase(), own, mostFound),
    productsWithPart(db(), pattern, own, mostFound),
  ])
  return [
    ...customers.map(({ id, tenant, email, name, company }) => ({
      tenant,
      path: `/customers/${id}`,
      label: company || name || email,
      detail: email,
      group: 'customers' as const,
    })),
    ...orders.map(({ id, tenant, number }) => ({
      tenant,
      path: `/orders/${id}`,
      label: number,
      group: 'orders' as const,
    })),
    ...products.map(({ id, tenant, name }) => ({
      tenant,
      path: `/catalog/${id}`,
      label: name,
      group: 'products' as const,
    })),
  ]
}

/**
 * Searches for the whole email address first, because this search uses an index. A search for a part, such as the
 * domain, can match very many addresses.
 */
async function customersBy(query: string, pattern: string, own: string[] | null) {
  const email = canonicalEmail(query)
  const exact = email === null ? [] : await customersWithEmail(db(), email, own, mostFound)
  return exact.length > 0 ? exact : customersWithPart(db(), pattern, own, mostFound)
}

/** The limit applies to each group of results. */
const mostFound = 20

function shownOf(
  { tenant, path, label, detail, group = 'ids' }: Found,
  storefront: string,
): SearchPage['found'][number] {
  const mode = tenant.testmode ? 'test' : 'live'
  const url = `/admin/${mode}/${tenant.storefrontId}${path}`
  return { url, label, detail: detail === undefined || detail === label ? null : detail, group, storefront, mode }
}
