import { loadBillingUpdate } from '../workflows/billing-update/load-billing-update.ts'
import { eventsOf } from './shop.ts'
import { ordersOf, type Scenario } from './subscription-scenario.ts'

export const june = { at: '2027-06-01T00:00:00Z' }
export const visitor = { acceptLanguage: 'de', header: () => null }

export async function openPage(token: string) {
  const page = (await loadBillingUpdate(token, visitor)).view
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  return page
}

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
