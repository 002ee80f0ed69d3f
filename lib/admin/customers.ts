import type { AdminList } from '../kernel/list.ts'
import { chargebackResource } from '../modules/chargebacks/resource.ts'
import { pageOfChargebacks } from '../modules/chargebacks/store.ts'
import type { AdminCustomerRow, CustomerPage } from '../modules/customers/page.ts'
import { customerResource } from '../modules/customers/resource.ts'
import { findCustomer, pageOfCustomers, pageOfCustomersByName } from '../modules/customers/store.ts'
import { newestEmailsOf } from '../modules/emails/store.ts'
import type { ShownOrder } from '../modules/orders/rules/order.ts'
import { pageOfOrders } from '../modules/orders/store.ts'
import type { ShownSubscription } from '../modules/subscriptions/owed.ts'
import { isOngoing } from '../modules/subscriptions/rules/index.ts'
import { pageOfSubscriptions } from '../modules/subscriptions/store.ts'
import { canonicalTaxId } from '../modules/tax/rules/vat-id.ts'
import { decisiveChecks } from '../modules/tax/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { heldAddress } from '../workflows/csv-lists/sales.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { customerLinksOn } from './customer-links.ts'
import { customerNotesOn } from './customer-notes.ts'
import { emailRow } from './emails.ts'
import { exportOf } from './export.ts'
import { actionOf, adminList, type ListParameters } from './list.ts'
import { customerRows, orderRows, subscriptionRows } from './rows.ts'

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
    async ({ sort, ...query }, sql) => {
      const page = sort
        ? await pageOfCustomersByName(sql, tenant, query, sort.isDescending)
        : await pageOfCustomers(sql, tenant, query, email)
      return { ...page, rows: await customerRows(sql, tenant, page.rows) }
    },
    (row) => row,
    ['name'],
  )
  const files = exportOf(access, 'customers', { email: email ?? null, ...list.dates })
  return { ...list, ...files, ...actionOf(access, 'payment-links/new') }
}

const mostShown = 50

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
  const emails = await newestEmailsOf(db(), tenant, id, mostShown)
  const disputes = await pageOfChargebacks(db(), tenant, { limit: mostShown }, { customerId: id })
  const [row] = await customerRows(db(), tenant, [customer])
  const billing = billingOf(subscriptions.rows, orders.rows)
  return {
    billing,
    taxIdStatus: billing?.taxId ? await taxIdStatusOf(tenant, billing.taxId) : null,
    spend: { spend: row?.spend ?? [], isMore: row?.isMore ?? false },
    emails: emails.map(emailRow),
    chargebacks: disputes.rows.map(chargebackResource),
    customer: customerResource(customer),
    subscriptions: await subscriptionRows(db(), tenant, subscriptions.rows),
    orders: await orderRows(db(), orders.rows),
    moreSubscriptionsUrl: subscriptions.next ? `${path}/subscriptions?customer=${id}` : null,
    links: await customerLinksOn(access, id, form),
    notes: await customerNotesOn(access, customer, form),
    moreOrdersUrl: orders.next ? `${path}/orders?customer=${id}` : null,
  }
}

const billingOf = (subscriptions: readonly ShownSubscription[], orders: readonly ShownOrder[]) =>
  subscriptions.find(isOngoing)?.billingAddress ?? orders[0]?.customerDetails ?? null

async function taxIdStatusOf(tenant: Tenant, taxId: string): Promise<CustomerPage['taxIdStatus']> {
  const [check] = await decisiveChecks(db(), tenant, [canonicalTaxId(taxId)])
  return check?.result ?? 'unchecked'
}
