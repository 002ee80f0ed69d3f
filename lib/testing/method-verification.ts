import { eventsOf } from './shop.ts'
import { ordersOf, type Scenario } from './subscription-scenario.ts'

/** Returns the events after the sale, and the orders after the order of the sale. */
export async function since(scenario: Scenario) {
  const orders = (await ordersOf(scenario)).slice(1)
  return {
    events: (await eventsOf(scenario.shop)).slice(3),
    orders: orders.map((order: { status: string; paymentMethod: string; total: { value: string } }) =>
      [order.status, order.paymentMethod, order.total.value].join(' '),
    ),
  }
}

export const verified = ['subscription.billing_updated', 'order.paid']
