import type { AdminList } from '../kernel/list.ts'
import type { AdminCustomerRow, CustomerPage } from '../modules/customers/page.ts'
import { customerResource } from '../modules/customers/resource.ts'
import { findCustomer, pageOfCustomers } from '../modules/customers/store.ts'
import { pageOfOrders } from '../modules/orders/store.ts'
import { pageOfSubscriptions } from '../modules/subscriptions/store.ts'
import { db } from '../platform/db/db.ts'
import { heldAddress } from '../workflows/csv-lists/sales.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { customerLinksOn } from './customer-links.ts'
import { exportOf } from './export.ts'
import { actionOf, adminList, type ListParameters } from './list.ts'
import { customerRows, orderRows, subscriptionRows } from './rows.ts'

/** The customers of a storefront and mode, newest first; with `email`, the customer with this address. */
export async function customersPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<AdminList<AdminCustomerRow> | null> {
  const access = await accessTo(place, 'customers', cookies)
  if (!access) return null
  const { path, tenant } = access
  const email = heldAddress(parameters.email)
  const list = await adminList(
    `${path}/customers`,
    parameters,
    async (query, sql) => {
      const page = await pageOfCustomers(sql, tenant, query, email)
      return { ...page, rows: await customerRows(sql, tenant, page.rows) }
    },
    (row) => row,
  )
  const files = exportOf(access, 'customers', { email: email ?? null, ...list.dates })
  return { ...list, ...files, ...actionOf(access, 'payment-links/new') }
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
