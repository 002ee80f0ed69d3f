import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Duration } from '../../kernel/calendar.ts'
import { eventNames } from '../../modules/events/event-types.ts'
import { db } from '../../platform/db/db.ts'
import * as factories from '../../testing/factories.ts'
import { failpoints } from '../../testing/failpoints.ts'
import { aReceiver, type Receiver } from '../../testing/receiver.ts'
import { eventsOf } from '../../testing/shop.ts'
import { type KillHarness, startKillHarness } from '../../testing/sigkill.ts'
import { ask, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { providerLedger } from '../reconciliation/provider-ledger.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

let harness: KillHarness
let receiver: Receiver

beforeAll(async () => {
  receiver = await aReceiver()
  harness = await startKillHarness(receiver)
})

afterAll(() => Promise.all([harness.close(), receiver.close()]))

interface Journey {
  readonly before?: (scenario: Scenario) => Promise<unknown>
  /** The time by which the clock advances while the test kills the process. */
  readonly by: Duration
  /**
   * Matches failpoints at which this journey kills the process even if an earlier journey already did, because the
   * tasks are in a different state.
   */
  readonly again?: RegExp
  readonly ends: End
}

interface End {
  readonly status: string
  readonly orders: { status: string; attempts: string[] }[]
  readonly periods: number
  readonly events: string[]
  readonly emails: string[]
}

const paid = { status: 'paid', attempts: ['paid'] }
const renewed = ['subscription.updated', 'order.paid']
const declines = (reason: 'card_expired' | 'insufficient_funds') => (scenario: Scenario) =>
  declineMandate(scenario.id, reason)

const journeys: Record<string, Journey> = {
  'a renewal': {
    by: { months: 1, days: 1 },
    ends: { status: 'active', orders: [paid, paid], periods: 2, events: renewed, emails: ['receipt', 'receipt'] },
  },
  'an expired card and a week of emails': {
    before: declines('card_expired'),
    by: { months: 1, days: 8 },
    ends: {
      status: 'canceled',
      orders: [paid, { status: 'canceled', attempts: ['failed'] }],
      periods: 2,
      events: [
        'subscription.updated',
        'order.payment_failed',
        'order.canceled',
        'subscription.canceled_for_nonpayment',
      ],
      emails: ['receipt', ...Array(3).fill('payment_method_needed'), 'canceled_for_nonpayment'],
    },
  },
  'an account without funds for three days': {
    before: declines('insufficient_funds'),
    by: { months: 1, days: 3 },
    ends: {
      status: 'active',
      orders: [paid, { status: 'pending', attempts: ['failed', 'failed'] }],
      periods: 2,
      events: ['subscription.updated', 'order.payment_failed'],
      emails: ['receipt', 'payment_failed', 'payment_failed'],
    },
  },
  'an unpaid change until it is undone': {
    before: async (scenario) => {
      await declines('card_expired')(scenario)
      const change = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
      expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)).status).toBe(200)
    },
    by: { days: 8 },
    again: /^recovery\.step /,
    ends: {
      status: 'active',
      orders: [paid, { status: 'canceled', attempts: ['failed'] }],
      periods: 1,
      events: ['subscription.updated', 'order.payment_failed', 'order.canceled', 'subscription.updated'],
      emails: ['receipt', ...Array(3).fill('payment_method_needed'), 'change_undone'],
    },
  },
  'a paid retry and the next renewal': {
    before: async (scenario) => {
      await declines('insufficient_funds')(scenario)
      await harness.survivor.move({ storefrontId: scenario.shop.storefrontId, by: { months: 1, days: 1 } })
      await declineMandate(scenario.id, null)
    },
    by: { months: 1 },
    again: /^(?:recovery\.step|subscription\.charge) /,
    ends: {
      status: 'active',
      orders: [paid, { status: 'paid', attempts: ['failed', 'paid'] }, paid],
      periods: 3,
      events: ['subscription.updated', 'order.payment_failed', 'order.paid', ...renewed],
      emails: ['receipt', 'payment_failed', 'payment_recovered', 'receipt'],
    },
  },
}

let lives = 0

async function begin({ before }: Journey) {
  const scenario = await subscriptionScenario()
  const path = `/hook?${++lives}`
  await factories.anEndpoint(scenario.key, `${receiver.url}?${lives}`, { enabledEvents: eventNames })
  await before?.(scenario)
  return { scenario, path, storefrontId: scenario.shop.storefrontId }
}

async function endOf({ scenario, path, storefrontId }: Awaited<ReturnType<typeof begin>>): Promise<End> {
  const mine = { where: { storefront_id: storefrontId }, orderBy: { id: 'asc' } } as const
  const { status } = await db().subscriptions.findUniqueOrThrow({ where: { id: scenario.id } })
  const orders = await db().orders.findMany(mine)
  const periods = await db().subscription_periods.findMany(mine)
  const events = (await eventsOf(scenario.shop)).slice(3)
  // Each event arrives once. Events of different transactions can arrive in any sequence.
  expect(receiver.eventsAt(path).toSorted()).toEqual(events.toSorted())
  return {
    status,
    orders: await Promise.all(
      orders.map(async (order) => ({
        status: order.status,
        attempts: (await providerLedger(order.id)).map((entry) => entry.status),
      })),
    ),
    periods: new Set(periods.map(({ order_id }) => order_id)).size,
    events,
    emails: (await db().emails.findMany(mine)).map(({ kind }) => kind),
  }
}

describe('a process killed during a renewal or recovery', () => {
  it.each(Object.entries(journeys))(
    'a kill of the process at any point of %s does not change the result',
    (_name, journey) => {
      const { by, again, ends } = journey
      return harness.killAtEachPlace({ begin: () => begin(journey), by, again, endOf, ends })
    },
  )

  it('the tests killed a process at every failpoint of renewals and recoveries', () => {
    // Leaves out the failpoints of refunds, chargebacks, returned debits, and the write-off of an unpaid sale, because
    // these have their own tests.
    const places = failpoints.filter(
      (point) => !/^(?:refund|chargeback|return)\.|^write_off\.recovery_ended$/.test(point),
    )
    expect(harness.points()).toEqual([...places].sort())
  })
})
