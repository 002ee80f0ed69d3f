import { amount } from '../kernel/money.ts'
import type { AdminCheckoutRow } from '../modules/checkouts/page.ts'
import { checkoutResource } from '../modules/checkouts/resource.ts'
import type { Checkout } from '../modules/checkouts/rules/index.ts'
import { type OrderOfCheckout, ordersOfCheckouts, pricesOfCheckouts } from '../modules/checkouts/store.ts'
import { emailsOf } from '../modules/customers/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import type { Sql } from '../platform/db/db.ts'
import { nameOf } from './rows.ts'

/** Checkouts as rows of a list. Reads the orders, prices, and customers of all rows together. */
export async function checkoutRows(
  sql: Sql,
  tenant: Tenant,
  checkouts: readonly Checkout[],
): Promise<AdminCheckoutRow[]> {
  const ids = checkouts.map(({ id }) => id)
  const [orders, prices, emails] = await Promise.all([
    ordersOfCheckouts(sql, ids),
    pricesOfCheckouts(sql, ids),
    emailsOf(
      sql,
      tenant,
      checkouts.flatMap(({ customerId }) => customerId ?? []),
    ),
  ])
  return checkouts.map((checkout) => {
    const order = orders.get(checkout.id)
    return {
      ...checkoutResource(checkout, order?.status === 'paid' ? order.id : null),
      buyer: buyerOf(checkout, order, emails),
      amount: order ? amount(order.total, order.currency) : amount(prices.get(checkout.id) ?? 0n, 'EUR'),
      taxBehavior: order ? null : checkout.taxBehavior,
    }
  })
}

/** The buyer of the order. Before the order exists: what the buyer has entered, or the customer whom the merchant chose. */
function buyerOf(
  { draft, billingAddress, customerId }: Checkout,
  order: OrderOfCheckout | undefined,
  emails: ReadonlyMap<string, string>,
): string | null {
  const { companyName = null, fullName = null } = billingAddress
  return (
    (order && nameOf(order.customerDetails)) ||
    (draft && nameOf(draft.form)) ||
    nameOf({ companyName, fullName, email: customerId && (emails.get(customerId) ?? null) })
  )
}
