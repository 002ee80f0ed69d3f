import { expect } from 'vitest'
import { send } from '../../testing/api.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import {
  advanceWithoutTasks,
  billingToken,
  booksOf,
  chooseMethod,
  failNextRenewal,
  makeHelpersDue,
} from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  ask,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'

interface End {
  status: string
  orders: { status: string; attempts: string[] }[]
  events: string[]
}

const journey = <Given>(journey: Journey<Scenario, End, Given>) => journey as Journey<Scenario, End>

const keyed = { 'Idempotency-Key': 'once' }
const request = async (scenario: Scenario, line: string, body?: object) => {
  const reply = await send(line.replace('{id}', scenario.id), {
    key: scenario.key,
    headers: keyed,
    ...(body && { body }),
  })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
}
const fastForward = 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
const simulate = (orderId: string) => `POST /v1/test-helpers/orders/${orderId}/simulate-payment`

const paid = { status: 'paid', attempts: ['paid'] }
const event = { renewed: 'subscription.updated', paid: 'order.paid', failed: 'order.payment_failed' }

const journeys: Record<string, Journey<Scenario, End>> = {
  'a change that is invoiced immediately': journey({
    begin: (scenario) => pass(scenario, 'P10D'),
    killed: async (scenario) => {
      await request(scenario, 'PATCH /v1/subscriptions/{id}', {
        quantity: 3,
        applyImmediately: true,
        invoiceImmediately: true,
      })
      await runDueTasks()
    },
    ends: { status: 'active', orders: [paid, paid], events: ['subscription.updated', event.paid] },
  }),
  'a fast-forward that is paid': journey({
    begin: async () => undefined,
    killed: async (scenario) => {
      await request(scenario, fastForward, { paymentStatus: 'paid' })
      await makeHelpersDue()
      await runDueTasks()
    },
    ends: { status: 'active', orders: [paid, { status: 'paid', attempts: [] }], events: [event.renewed, event.paid] },
  }),
  'a fast-forward that fails': journey({
    begin: async () => undefined,
    killed: async (scenario) => {
      await request(scenario, fastForward, { paymentStatus: 'failed', failureReason: 'card_expired' })
      await makeHelpersDue()
      await runDueTasks()
    },
    ends: {
      status: 'active',
      orders: [paid, { status: 'pending', attempts: [] }],
      events: [event.renewed, event.failed],
    },
  }),
  'a simulation of a fast-forwarded payment': journey({
    begin: async (scenario) => {
      await ask(scenario, fastForward, { paymentStatus: null })
      return (await ordersOf(scenario))[1].id as string
    },
    killed: async (scenario, orderId) => {
      await request(scenario, simulate(orderId), { paymentStatus: 'paid' })
      await makeHelpersDue()
      await runDueTasks()
    },
    ends: { status: 'active', orders: [paid, { status: 'paid', attempts: [] }], events: [event.renewed, event.paid] },
  }),
  'a simulation of a pending direct debit': journey({
    begin: async (scenario) => {
      await chooseMethod(await billingToken(scenario), 'directdebit')
      await advanceWithoutTasks(scenario, { months: 1 })
      await runDueTasks()
      return (await ordersOf(scenario)).at(-1).id as string
    },
    killed: async (scenario, orderId) => {
      await request(scenario, simulate(orderId), { paymentStatus: 'failed', failureReason: 'insufficient_funds' })
      await makeHelpersDue()
      await runDueTasks()
    },
    ends: {
      status: 'active',
      orders: [paid, { status: 'pending', attempts: ['failed'] }],
      events: ['subscription.billing_updated', event.paid, event.renewed, event.failed],
    },
  }),
  'the end of a subscription with an unpaid order': journey({
    begin: (scenario) => failNextRenewal(scenario, 'card_expired'),
    killed: async (scenario) => {
      await request(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
      await runDueTasks()
    },
    ends: {
      status: 'canceled',
      orders: [paid, { status: 'canceled', attempts: ['failed'] }],
      events: [event.renewed, event.failed, 'order.canceled', 'subscription.canceled_immediately'],
    },
  }),
  'a new payment method for an unpaid order': journey({
    begin: async (scenario) => billingToken(await failNextRenewal(scenario, 'insufficient_funds')),
    killed: async (_, token) => {
      await chooseMethod(token, 'paypal')
      await runDueTasks()
    },
    ends: {
      status: 'active',
      orders: [paid, { status: 'paid', attempts: ['failed', 'paid'] }],
      events: [event.renewed, event.failed, 'subscription.billing_updated', event.paid, event.paid],
    },
  }),
}

async function endOf(scenario: Scenario): Promise<End> {
  const { status } = await subscriptionOf(scenario)
  return { status, orders: await booksOf(scenario), events: (await eventsOf(scenario.shop)).slice(3) }
}

testKillAtEachCommit(journeys, { begin: subscriptionScenario, endOf, whole: (ends: End) => ends, places: 2 })
