import { amount, parseMoney } from '../kernel/money.ts'
import { disputedAmong } from '../modules/chargebacks/store.ts'
import { emailsOf } from '../modules/customers/store.ts'
import type { AdminOrderRow } from '../modules/orders/page.ts'
import { orderResource } from '../modules/orders/resource.ts'
import type { ShownOrder } from '../modules/orders/rules/order.ts'
import { orderState } from '../modules/orders/rules/shown-state.ts'
import type { ShownSubscription } from '../modules/subscriptions/owed.ts'
import type { AdminSubscriptionRow } from '../modules/subscriptions/page.ts'
import { shownSubscription } from '../modules/subscriptions/resource.ts'
import { perMonth } from '../modules/subscriptions/rules/recurring.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import type { Sql } from '../platform/db/db.ts'
import type { Page } from '../platform/http/paging.ts'

/** An order as a list shows it. `disputed` has the orders with an undecided dispute. */
export const orderRow = (order: ShownOrder, disputed: ReadonlySet<string>): AdminOrderRow => ({
  ...orderResource(order),
  state: orderState(order, disputed.has(order.id)),
})

/** Orders as a list shows them. */
export async function orderRows(sql: Sql, orders: readonly ShownOrder[]): Promise<AdminOrderRow[]> {
  const disputed = await disputedAmong(
    sql,
    orders.map(({ id }) => id),
  )
  return orders.map((order) => orderRow(order, disputed))
}

/** A page of orders as a list shows them. */
export const withOrderRows = async (sql: Sql, page: Page<ShownOrder>): Promise<Page<AdminOrderRow>> => ({
  ...page,
  rows: await orderRows(sql, page.rows),
})

/** Subscriptions as a list shows them. Throws for an amount that is no amount, which the database excludes. */
export async function subscriptionRows(
  sql: Sql,
  tenant: Tenant,
  subscriptions: readonly ShownSubscription[],
): Promise<AdminSubscriptionRow[]> {
  const shown = subscriptions.map(shownSubscription)
  const emails = await emailsOf(
    sql,
    tenant,
    shown.map(({ customerId }) => customerId),
  )
  return shown.map((each) => {
    const { basePrice, quantity, billingAddress, customerId } = each
    const price = parseMoney(basePrice.value, basePrice.currency)
    if (!price) throw new Error(`${each.id} has the price ${basePrice.value}`)
    return {
      ...each,
      customer: billingAddress.companyName || billingAddress.fullName || emails.get(customerId) || customerId,
      monthly: amount(perMonth(price.minor * BigInt(quantity), each), price.currency),
    }
  })
}
