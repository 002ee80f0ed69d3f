import { expect } from 'vitest'
import { db } from '../platform/db/db.ts'
import type { Answer } from './shop.ts'
import {
  clockTo,
  get,
  ordersOf,
  type Scenario,
  subscriptionOf as shownSubscription,
  withoutPayment,
} from './subscription-scenario.ts'

export const subscriptionOf = async (scenario: Scenario): Promise<Answer> =>
  withoutPayment(await shownSubscription(scenario))

/** Returns the events of the subscription and its orders, without the two events of the sale. */
export async function eventsOf({ shop }: Scenario) {
  const rows = await db().events.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })
  const events: Answer[] = rows.map(({ body }) => JSON.parse(body))
  return events.filter(({ entityType }) => entityType === 'subscription' || entityType === 'order').slice(2)
}

export const nameOf = ({ eventName, reason }: Answer): string =>
  reason === null ? eventName : `${eventName} (${reason})`

/**
 * Returns the subscription, the names of the new events, and the new orders. Checks that the object in the last event of each subscription and order equals the
 * response to GET.
 */
export async function during(scenario: Scenario, doing: (scenario: Scenario) => Promise<unknown>) {
  const [eventsBefore, ordersBefore] = [(await eventsOf(scenario)).length, (await ordersOf(scenario)).length]
  await doing(scenario)
  const subscription = await subscriptionOf(scenario)
  const update = (await eventsOf(scenario)).slice(eventsBefore)
  for (const { entityType, entityId, object } of new Map(update.map((event) => [event.entityId, event])).values()) {
    const shown = entityType === 'subscription' ? subscription : await get(scenario.key, `/v1/orders/${entityId}`)
    expect(withoutPayment(object)).toEqual(withoutPayment(shown))
  }
  const orders: Answer[] = (await ordersOf(scenario)).slice(ordersBefore)
  return { subscription, events: update.map(nameOf), orders }
}

/** Checks that a request is refused with the code, for the field if one is given, and that nothing changes. The status is 422 by default. */
export async function refused(
  scenario: Scenario,
  asking: () => Promise<unknown>,
  code: string,
  { status = 422, field }: { status?: number; field?: string } = {},
) {
  const before = [await eventsOf(scenario), await subscriptionOf(scenario), await ordersOf(scenario)]
  const errors = { [field ?? '']: [expect.any(String)] }
  expect(await asking()).toMatchObject({ status, body: { code, ...(field !== undefined && { errors }) } })
  expect([await eventsOf(scenario), await subscriptionOf(scenario), await ordersOf(scenario)]).toEqual(before)
}

export const renewed = 'subscription.updated (renewed)'
export const june = { at: '2027-06-01T00:00:00Z' }

/** The test clock runs during a test, so the helper accepts the first two minutes of the day. */
export const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T00:0[01]:\\d\\dZ$`))
export const pastMidnight = (scenario: Scenario, day: string) => clockTo(scenario.key, `${day}T00:01:00Z`)

export async function halfOfJune(scenario: Scenario): Promise<Scenario> {
  await clockTo(scenario.key, '2027-06-16T00:00:00Z')
  return scenario
}
