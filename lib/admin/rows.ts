import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import type { ListedDispute } from '../modules/chargebacks/page.ts'
import { chargebackResource } from '../modules/chargebacks/resource.ts'
import { disputedAmong } from '../modules/chargebacks/store.ts'
import type { ChargebackWithOrder } from '../modules/chargebacks/with-order.ts'
import type { AdminCustomerRow } from '../modules/customers/page.ts'
import { customerResource } from '../modules/customers/resource.ts'
import type { BuyerNames } from '../modules/customers/rules/billing-details.ts'
import { type Customer, emailsOf } from '../modules/customers/store.ts'
import type { AdminOrderRow } from '../modules/orders/page.ts'
import { purchasesOf } from '../modules/orders/purchases.ts'
import { orderResource } from '../modules/orders/resource.ts'
import type { ShownOrder } from '../modules/orders/rules/order.ts'
import { orderState } from '../modules/orders/rules/shown-state.ts'
import type { ShownSubscription } from '../modules/subscriptions/owed.ts'
import type { AdminSubscriptionRow } from '../modules/subscriptions/page.ts'
import { shownSubscription } from '../modules/subscriptions/resource.ts'
import { perMonth } from '../modules/subscriptions/rules/recurring.ts'
import { ongoingOf } from '../modules/subscriptions/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import type { Sql } from '../platform/db/db.ts'
import type { Page } from '../platform/http/paging.ts'

/** The company name, or else the person's name, or else the email address. Null after an erasure. */
export const nameOf = ({ companyName, fullName, email = null }: BuyerNames): string | null =>
  companyName || fullName || email || null

export const disputeRow = ({ chargeback, respondBy, customerDetails }: ChargebackWithOrder): ListedDispute => ({
  ...chargebackResource(chargeback),
  customer: nameOf(customerDetails),
  respondBy: respondBy && toWire(respondBy),
})

/** `disputed` contains the ids of orders with an open dispute. */
export const orderRow = (order: ShownOrder, disputed: ReadonlySet<string>): AdminOrderRow => ({
  ...orderResource(order),
  customer: nameOf(order.customerDetails) ?? order.id,
  state: orderState(order, disputed.has(order.id)),
})

export async function orderRows(sql: Sql, orders: readonly ShownOrder[]): Promise<AdminOrderRow[]> {
  const ids = orders.map(({ id }) => id)
  const disputed = await disputedAmong(sql, ids)
  return orders.map((order) => orderRow(order, disputed))
}

export const withOrderRows = async (sql: Sql, page: Page<ShownOrder>): Promise<Page<AdminOrderRow>> => ({
  ...page,
  rows: await orderRows(sql, page.rows),
})

export async function subscriptionRows(
  sql: Sql,
  tenant: Tenant,
  subscriptions: readonly ShownSubscription[],
): Promise<AdminSubscriptionRow[]> {
  const customers = subscriptions.map(({ customerId }) => customerId)
  const emails = await emailsOf(sql, tenant, customers)
  return subscriptions.map((each) => {
    const { price, quantity, billingInterval, billingAddress, customerId } = each
    return {
      ...shownSubscription(each),
      customer: nameOf(billingAddress) ?? emails.get(customerId) ?? customerId,
      monthly: amount(perMonth(price.minor * BigInt(quantity), billingInterval), price.currency),
      createdAt: toWire(each.createdAt),
    }
  })
}

export async function customerRows(
  sql: Sql,
  tenant: Tenant,
  customers: readonly Customer[],
): Promise<AdminCustomerRow[]> {
  const ids = customers.map(({ id }) => id)
  const [purchases, counts] = await Promise.all([purchasesOf(sql, tenant, ids), ongoingOf(sql, tenant, ids)])
  return customers.map((customer) => {
    const { title, isMore, ...bought } = purchases(customer.id)
    const counted = counts.get(customer.id)
    return {
      ...customerResource(customer),
      ...bought,
      title: title ?? customer.name,
      ongoing: counted?.ongoing ?? 0,
      isMore,
      isMoreOngoing: counted?.isMore ?? false,
    }
  })
}
