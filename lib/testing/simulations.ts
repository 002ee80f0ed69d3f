import { listEmails } from '../modules/emails/operations.ts'
import { providerLedger } from '../workflows/reconciliation/provider-ledger.ts'
import type { Answer } from './shop.ts'
import { during as changesDuring, june, pastMidnight, refused } from './subscription-events.ts'
import { ask, ordersOf, type Scenario, subscriptionScenario } from './subscription-scenario.ts'

export const forwardPath = '/v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
export const forward = (scenario: Scenario, body?: object) => ask(scenario, `POST ${forwardPath}`, body)
export const simulatePath = (orderId: string) => `/v1/test-helpers/orders/${orderId}/simulate-payment`

export const simulate = (scenario: Scenario, orderId: string, body: object) =>
  ask(scenario, `POST ${simulatePath(orderId)}`, body)

export const paid = { paymentStatus: 'paid' }
export const failed = (failureReason?: string) => ({ paymentStatus: 'failed', ...(failureReason && { failureReason }) })

/**
 * Returns the subscription, the names of the new events, and the newest order. The order is undefined if the
 * subscription has only its first order.
 */
export async function during(scenario: Scenario, doing: () => Promise<unknown>) {
  const { subscription, events } = await changesDuring(scenario, doing)
  const [order]: Answer[] = (await ordersOf(scenario)).slice(1).reverse()
  return { subscription, events, order }
}

export const invalid = (scenario: Scenario, asking: () => Promise<unknown>, field: string) =>
  refused(scenario, asking, 'validation_failed', { field })

export const emailsOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => /^(?:payment_failed|payment_method_needed|canceled_for_nonpayment)$/.test(kind))
    .reverse()

export const attemptsAt = async (orderId: string) =>
  (await providerLedger(orderId)).map(({ createdAt, status }) => [dayOf(createdAt), status])

export const dayOf = (moment: Date | string) => new Date(moment).toISOString().slice(0, 10)
export const renewal = (scenario: Scenario) => during(scenario, () => pastMidnight(scenario, '2027-07-01'))
export const directDebitScenario = () => subscriptionScenario({ ...june, buyer: { paymentMethod: 'ideal' } })
