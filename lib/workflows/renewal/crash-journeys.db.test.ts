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

/** Requests and tasks of a subscription in a process that is killed: see lib/testing/kill-at-each-commit.ts. */

interface End {
  status: string
  /** The orders over something, each with the provider's attempts at it. */
  orders: { status: string; attempts: string[] }[]
  /** Since the sale. */
  events: string[]
}

const journey = <Given>(journey: Journey<Scenario, End, Given>) => journey as Journey<Scenario, End>

const keyed = { 'Idempotency-Key': 'once' }
const request = async (life: Scenario, line: string, body?: object) => {
  const reply = await send(line.replace('{id}', life.id), { key: life.key, headers: keyed, ...(body && { body }) })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
}
const fastForward = 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
const simulate = (orderId: string) => `POST /v1/test-helpers/orders/${orderId}/simulate-payment`

const paid = { status: 'paid', attempts: ['paid'] }
const event = { renewed: 'subscription.updated', paid: 'order.paid', failed: 'order.payment_failed' }

const journeys: Record<string, Journey<Scenario, End>> = {
  'a renewal': journey({
    begin: (life) => advanceWithoutTasks(life, { months: 1, days: 1 }),
    killed: () => runDueTasks(),
    ends: { status: 'active', orders: [paid, paid], events: [event.renewed, event.paid] },
  }),
  'a change that is invoiced at once': journey({
    begin: (life) => pass(life, 'P10D'),
    killed: async (life) => {
      await request(life, 'PATCH /v1/subscriptions/{id}', {
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
    killed: async (life) => {
      await request(life, fastForward, { paymentStatus: 'paid' })
      await makeHelpersDue()
      await runDueTasks()
    },
    // No provider knows of a simulated payment.
    ends: { status: 'active', orders: [paid, { status: 'paid', attempts: [] }], events: [event.renewed, event.paid] },
  }),
  'a fast-forward that fails': journey({
    begin: async () => undefined,
    killed: async (life) => {
      await request(life, fastForward, { paymentStatus: 'failed', failureReason: 'card_expired' })
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
    begin: async (life) => {
      await ask(life, fastForward, { paymentStatus: null })
      return (await ordersOf(life))[1].id as string
    },
    killed: async (life, orderId) => {
      await request(life, simulate(orderId), { paymentStatus: 'paid' })
      await makeHelpersDue()
      await runDueTasks()
    },
    ends: { status: 'active', orders: [paid, { status: 'paid', attempts: [] }], events: [event.renewed, event.paid] },
  }),
  'a simulation of a direct debit that is on its way': journey({
    begin: async (life) => {
      await chooseMethod(await billingToken(life), 'directdebit')
      await advanceWithoutTasks(life, { months: 1 })
      await runDueTasks()
      return (await ordersOf(life)).at(-1).id as string
    },
    killed: async (life, orderId) => {
      await request(life, simulate(orderId), { paymentStatus: 'failed', failureReason: 'insufficient_funds' })
      await makeHelpersDue()
      await runDueTasks()
    },
    ends: {
      status: 'active',
      orders: [paid, { status: 'pending', attempts: ['failed'] }],
      events: ['subscription.billing_updated', event.paid, event.renewed, event.failed],
    },
  }),
  'the end of a subscription that owes something': journey({
    begin: (life) => failNextRenewal(life, 'card_expired'),
    killed: async (life) => {
      await request(life, 'DELETE /v1/subscriptions/{id}?immediately=true')
      await runDueTasks()
    },
    ends: {
      status: 'canceled',
      orders: [paid, { status: 'canceled', attempts: ['failed'] }],
      events: [event.renewed, event.failed, 'order.canceled', 'subscription.canceled_immediately'],
    },
  }),
  'a new payment method for what is owed': journey({
    begin: async (life) => billingToken(await failNextRenewal(life, 'insufficient_funds')),
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

async function endOf(life: Scenario): Promise<End> {
  const { status } = await subscriptionOf(life)
  return { status, orders: await booksOf(life), events: (await eventsOf(life.shop)).slice(3) }
}

testKillAtEachCommit(journeys, { begin: subscriptionScenario, endOf, whole: (ends: End) => ends, places: 2 })
