import { expect } from 'vitest'
import { listEmails } from '../modules/emails/operations.ts'
import { db } from '../platform/db/db.ts'
import { providerLedger } from '../workflows/reconciliation/provider-ledger.ts'
import {
  ask,
  clockTo,
  get,
  ordersOf,
  type Scenario,
  subscriptionOf as shownSubscription,
  subscriptionScenario,
  withoutPayment,
} from './subscription-scenario.ts'

export const subscriptionOf = async (scenario: Scenario): Promise<Answer> =>
  withoutPayment(await shownSubscription(scenario))

export const forwardPath = '/v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
export const forward = (scenario: Scenario, body?: object) => ask(scenario, `POST ${forwardPath}`, body)
export const simulatePath = (orderId: string) => `/v1/test-helpers/orders/${orderId}/simulate-payment`

export const simulate = (scenario: Scenario, orderId: string, body: object) =>
  ask(scenario, `POST ${simulatePath(orderId)}`, body)

export const paid = { paymentStatus: 'paid' }
export const failed = (failureReason?: string) => ({ paymentStatus: 'failed', ...(failureReason && { failureReason }) })

// biome-ignore lint/suspicious/noExplicitAny: a test reads responses of every shape
export type Answer = any

export async function eventsOf({ shop }: Scenario) {
  const rows = await db().events.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })
  const events: Answer[] = rows.map(({ body }) => JSON.parse(body))
  return events.filter(({ entityType }) => entityType === 'subscription' || entityType === 'order').slice(2)
}

export const nameOf = ({ eventName, reason }: Answer): string =>
  reason === null ? eventName : `${eventName} (${reason})`

/**
 * Returns the subscription, the names of the new events, and the newest order. The order is undefined if the
 * subscription has only its first order.
 */
export async function during(scenario: Scenario, doing: () => Promise<unknown>) {
  const before = (await eventsOf(scenario)).length
  await doing()
  const subscription = await subscriptionOf(scenario)
  const update = (await eventsOf(scenario)).slice(before)
  for (const { entityType, entityId, object } of new Map(update.map((event) => [event.entityId, event])).values()) {
    const shown = entityType === 'subscription' ? subscription : await get(scenario.key, `/v1/orders/${entityId}`)
    expect(withoutPayment(object)).toEqual(withoutPayment(shown))
  }
  const [order]: Answer[] = (await ordersOf(scenario)).slice(1).reverse()
  return { subscription, events: update.map(nameOf), order }
}

export async function refused(
  scenario: Scenario,
  asking: () => Promise<unknown>,
  status: number,
  code: string,
  field?: string,
) {
  const before = [await eventsOf(scenario), await subscriptionOf(scenario), await ordersOf(scenario)]
  const errors = { [field ?? '']: [expect.any(String)] }
  expect(await asking()).toMatchObject({ status, body: { code, ...(field !== undefined && { errors }) } })
  expect([await eventsOf(scenario), await subscriptionOf(scenario), await ordersOf(scenario)]).toEqual(before)
}

export const invalid = (scenario: Scenario, asking: () => Promise<unknown>, field: string) =>
  refused(scenario, asking, 422, 'validation_failed', field)

/** Returns the emails about a failed payment, oldest first. */
export const emailsOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => /^(?:payment_failed|payment_method_needed|canceled_for_nonpayment)$/.test(kind))
    .reverse()

export const attemptsAt = async (orderId: string) =>
  (await providerLedger(orderId)).map(({ createdAt, status }) => [dayOf(createdAt), status])

export const dayOf = (moment: Date | string) => new Date(moment).toISOString().slice(0, 10)
export const renewed = 'subscription.updated (renewed)'
export const june = { at: '2027-06-01T00:00:00Z' }

export const halfOfJune = async (scenario: Scenario): Promise<Scenario> => {
  await clockTo(scenario.key, '2027-06-16T00:00:00Z')
  return scenario
}

/** The test clock runs during a test, so the helper accepts the first two minutes of the day. */
export const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T00:0[01]:\\d\\dZ$`))
export const pastMidnight = (scenario: Scenario, day: string) => clockTo(scenario.key, `${day}T00:01:00Z`)
export const renewal = (scenario: Scenario) => during(scenario, () => pastMidnight(scenario, '2027-07-01'))
export const directDebitScenario = () => subscriptionScenario({ ...june, buyer: { paymentMethod: 'ideal' } })
