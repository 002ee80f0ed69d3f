import type { AdminList } from '../kernel/list.ts'
import type { AdminCustomer, CustomerPage } from '../modules/customers/page.ts'
import { customerResource } from '../modules/customers/resource.ts'
import { findCustomer, pageOfCustomers } from '../modules/customers/store.ts'
import { pageOfOrders } from '../modules/orders/store.ts'
import { pageOfSubscriptions } from '../modules/subscriptions/store.ts'
import { db, type Sql } from '../platform/db/db.ts'
import type { PageQuery } from '../platform/http/paging.ts'
import { heldAddress } from '../workflows/csv-lists/sales.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { customerLinksOn } from './customer-links.ts'
import { exportOf } from './export.ts'
import { adminList, type ListParameters } from './list.ts'
import { orderRows, subscriptionRows } from './rows.ts'

/** The customers of a storefront and mode, newest first; with `email`, the customer with this address. */
export async function customersPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<AdminList<AdminCustomer> | null> {
  const access = await accessTo(place, 'customers', cookies)
  if (!access) return null
  const { path, tenant } = access
  const email = heldAddress(parameters.email)
  const read = (query: PageQuery, sql: Sql) => pageOfCustomers(sql, tenant, query, email)
  const list = await adminList(`${path}/customers`, parameters, read, customerResource)
  return { ...list, ...exportOf(access, 'customers', { email: email ?? null }) }
}

const mostShown = 50

/** One customer, with the newest subscriptions and orders. `form` is the state that a form left. */
export async function customerPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
  form: string | null = null,
): Promise<CustomerPage | null> {
  const access = await accessTo(place, 'customers/[id]', cookies)
  const customer = access && (await findCustomer(db(), access.tenant, id))
  if (!access || !customer) return null
  const { tenant, path } = access
  const subscriptions = await pageOfSubscriptions(db(), tenant, { limit: mostShown }, { customerId: id })
  const orders = await pageOfOrders(db(), tenant, { limit: mostShown }, { customerId: id })
  return {
    customer: customerResource(customer),
    subscriptions: await subscriptionRows(db(), tenant, subscriptions.rows),
    orders: await orderRows(db(), orders.rows),
    moreSubscriptionsUrl: subscriptions.next ? `${path}/subscriptions?customer=${id}` : null,
    links: await customerLinksOn(access, id, form),
    moreOrdersUrl: orders.next ? `${path}/orders?customer=${id}` : null,
  }
}
