import { afterEach, expect, it } from 'vitest'
import { brokenInvariants } from '../../testing/invariants.ts'
import { failNextRenewal } from '../../testing/scenarios.ts'
import { eventsOf } from '../../testing/shop.ts'
import { ask, ordersOf, pass, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const statusOf = ({ status }: { status: string }) => status
const moreSeats = { quantity: 4, applyImmediately: true, invoiceImmediately: true }

it('a change that the declined card pays has the renewal charged too, and the subscription continues', async () => {
  const scenario = await failNextRenewal(await subscriptionScenario(), 'authentication_failed')
  await declineMandate(scenario.id, null)
  const before = (await eventsOf(scenario.shop)).length

  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
  await pass(scenario, 'P10D')

  expect((await ordersOf(scenario)).map(statusOf)).toEqual(['paid', 'paid', 'paid'])
  expect((await subscriptionOf(scenario)).status).toBe('active')
  expect((await eventsOf(scenario.shop)).slice(before).filter((name) => name !== 'invoice.created')).toEqual([
    'subscription.updated',
    'order.paid',
    'order.paid',
  ])
})

it('a soft decline keeps its own schedule of charges', async () => {
  const scenario = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
  await declineMandate(scenario.id, null)

  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
  await pass(scenario, 'PT1H')

  expect((await ordersOf(scenario)).map(statusOf).toSorted()).toEqual(['paid', 'paid', 'pending'])
})
