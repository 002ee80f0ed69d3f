import { describe, expect, it } from 'vitest'
import { amount } from '../../testing/amount.ts'
import { expireLeases, killedAt, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { brokenAtRest, brokenInvariants } from '../../testing/invariants.ts'
import {
  advanceWithoutTasks,
  billingToken,
  booksOf,
  chooseMethod,
  failNextRenewal,
  onProvidersPage,
  submitMethod,
} from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'

interface Given {
  readonly scenario: Scenario
  readonly token: string
}

interface Journey {
  readonly given?: (scenario: Scenario) => Promise<unknown>
  readonly before?: (given: Given) => Promise<unknown>
  /** The requests and tasks during which the test kills the process. After a kill, the test runs them again. */
  readonly killed: (given: Given) => Promise<unknown>
  readonly ends: { method: string; orders: string[]; events: string[]; charges: string[][] }
}

const started = ['checkout.paid', 'subscription.started', 'order.paid']
const verified = ['subscription.billing_updated', 'order.paid']
const owed = ['subscription.updated', 'order.payment_failed']
const decline = async (next: { redirectTo: string } | null) =>
  onProvidersPage(next, { outcome: 'failed', failureReason: 'card_expired' })

const journeys: Record<string, Journey> = {
  succeeds: {
    killed: ({ token }) => chooseMethod(token, 'paypal'),
    ends: {
      method: 'paypal',
      orders: ['paid creditcard', 'paid paypal'],
      events: [...started, ...verified],
      charges: [['paid']],
    },
  },
  'succeeds and charges the unpaid orders': {
    given: (scenario) => failNextRenewal(scenario, 'card_expired'),
    killed: async ({ token }) => {
      await chooseMethod(token, 'paypal')
      await runDueTasks()
    },
    ends: {
      method: 'paypal',
      orders: ['paid creditcard', 'paid paypal', 'paid paypal'],
      events: [...started, ...owed, ...verified, 'order.paid'],
      charges: [['paid'], ['failed', 'paid']],
    },
  },
  'replaces another open verification': {
    before: ({ token }) => submitMethod(token, 'ideal'),
    killed: ({ token }) => chooseMethod(token, 'paypal'),
    ends: {
      method: 'paypal',
      orders: ['paid creditcard', 'paid paypal'],
      events: [...started, ...verified],
      charges: [['paid']],
    },
  },
  'is declined': {
    killed: async ({ token }) => decline(await submitMethod(token, 'paypal')),
    ends: { method: 'card', orders: ['paid creditcard', 'pending paypal'], events: started, charges: [['paid']] },
  },
  'expires when its link ends': {
    before: async ({ scenario, token }) => {
      await submitMethod(token, 'paypal')
      await advanceWithoutTasks(scenario, { hours: 24 })
    },
    killed: () => runDueTasks(),
    ends: { method: 'card', orders: ['paid creditcard', 'expired paypal'], events: started, charges: [['paid']] },
  },
  'expires when its subscription ends': {
    before: ({ token }) => submitMethod(token, 'paypal'),
    killed: async ({ scenario }) => {
      const { status } = await subscriptionOf(scenario)
      if (status === 'active') await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
      await runDueTasks()
    },
    ends: {
      method: 'card',
      orders: ['paid creditcard', 'expired paypal'],
      events: [...started, 'subscription.canceled_immediately'],
      charges: [['paid']],
    },
  },
}

async function begin({ given, before }: Journey): Promise<Given> {
  const scenario = await subscriptionScenario()
  await given?.(scenario)
  const at = { scenario, token: await billingToken(scenario) }
  await before?.(at)
  return at
}

async function killedAfter(n: number, { killed, ends }: Journey, at: Given): Promise<boolean> {
  // A kill after a query leaves the same database as a kill before the next query, so the test kills only after
  // queries.
  const died = await killedAt(n, 'after', () => killed(at), places())
  expect([n, await brokenAtRest()]).toEqual([n, {}])
  await expireLeases()
  if (n % 2) await runDueTasks()
  await killed(at)
  await drainTasks()
  expect([n, await brokenInvariants()]).toEqual([n, {}])
  expect([n, await endOf(at.scenario)]).toEqual([n, ends])
  return died
}

async function endOf(scenario: Scenario): Promise<Journey['ends']> {
  const orders: { status: string; paymentMethod: string }[] = await ordersOf(scenario)
  return {
    method: (await subscriptionOf(scenario)).mandate.method,
    orders: orders.map(({ status, paymentMethod }) => `${status} ${paymentMethod}`),
    events: await eventsOf(scenario.shop),
    charges: (await booksOf(scenario)).map(({ attempts }) => attempts),
  }
}

describe('a verification of a new payment method in a killed process', () => {
  it.each(Object.entries(journeys))(
    'a payment method verification that %s has the same result if the process is killed after any query',
    async (_name, journey) => {
      const at = await begin(journey)
      const restore = await takeSnapshot()
      let n = 1
      for (; await killedAfter(n, journey, at); n++) await restore()
      expect(n).toBeGreaterThan(amount({ short: 2, long: 10 }))
    },
  )
})
