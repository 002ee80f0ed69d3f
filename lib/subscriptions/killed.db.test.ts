import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Duration } from '../kernel/calendar.ts'
import { providerLedger } from '../payments/operations.ts'
import { db } from '../platform/db.ts'
import { eventNames } from '../platform/events.ts'
import { failpoints } from '../platform/failpoint.ts'
import { leasesEnd } from '../testing/crash.ts'
import { brokenAtRest, brokenInvariants } from '../testing/invariants.ts'
import { aLife, type Life } from '../testing/life.ts'
import { makeProgram, type Runner, startRunner } from '../testing/processes.ts'
import { aReceiver } from '../testing/receiver.ts'
import { eventsOf } from '../testing/shop.ts'
import * as stock from '../testing/stock.ts'
import { declineMandate } from './operations.ts'

/**
 * Processes that are really killed, by SIGKILL, at every place of renewals and recoveries at which a crash is tried. Another process
 * finds what the dead one left, and everything must be as if nobody had died.
 */

let program: Awaited<ReturnType<typeof makeProgram>>
let receiver: Awaited<ReturnType<typeof aReceiver>>
/** It lives through it all, as another host would. */
let survivor: Runner
/** The next one to die: started while its predecessor does. */
let doomed: Runner

beforeAll(async () => {
  program = await makeProgram()
  receiver = await aReceiver()
  survivor = startRunner(program.file)
  doomed = startRunner(program.file)
})

afterAll(async () => {
  await Promise.all([survivor.stop(), doomed.stop(), receiver.close()])
  program.remove()
})

interface Journey {
  /** What went well before, done by the process that lives. */
  readonly before?: (life: Life) => Promise<unknown>
  /** How far time passes in the part in which a process dies. */
  readonly by: Duration
  /** Of which tasks the places are tried again, though an earlier journey had them: they find another state. */
  readonly again?: RegExp
  readonly ends: End
}

/** What the world knows of a subscription. */
interface End {
  readonly status: string
  /** Each order with what the provider was asked for it. */
  readonly orders: { status: string; attempts: string[] }[]
  /** Periods that were billed, each with an order of its own. */
  readonly periods: number
  /** Since the sale, each delivered once and in this order. */
  readonly events: string[]
  readonly mails: string[]
}

const paid = { status: 'paid', attempts: ['paid'] }
const renewed = ['subscription.updated', 'order.paid']
const declines = (reason: 'card_expired' | 'insufficient_funds') => (life: Life) => declineMandate(life.id, reason)

const journeys: Record<string, Journey> = {
  'a renewal': {
    by: { months: 1, days: 1 },
    ends: { status: 'active', orders: [paid, paid], periods: 2, events: renewed, mails: [] },
  },
  'a card that expired, and a week of mails': {
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
      mails: ['payment_method_needed', 'payment_method_needed', 'payment_method_needed', 'canceled_for_nonpayment'],
    },
  },
  'an account that stays empty for three days': {
    before: declines('insufficient_funds'),
    by: { months: 1, days: 3 },
    ends: {
      status: 'active',
      orders: [paid, { status: 'pending', attempts: ['failed', 'failed'] }],
      periods: 2,
      events: ['subscription.updated', 'order.payment_failed'],
      mails: ['payment_failed', 'payment_failed'],
    },
  },
  'a retry that is paid at last, and the next renewal': {
    before: async (life) => {
      await declines('insufficient_funds')(life)
      await survivor.move({ storefrontId: life.shop.storefrontId, by: { months: 1, days: 1 } })
      await declineMandate(life.id, null)
    },
    by: { months: 1 },
    again: /^(?:recovery\.step|subscription\.charge) /,
    ends: {
      status: 'active',
      orders: [paid, { status: 'paid', attempts: ['failed', 'paid'] }, paid],
      periods: 3,
      events: ['subscription.updated', 'order.payment_failed', 'order.paid', ...renewed],
      mails: ['payment_failed'],
    },
  },
}

/** Places at which a process was killed. */
const killedAt = new Set<string>()
let lives = 0

/** A subscription whose shop hears of everything, up to the part in which a process dies. */
async function begin({ before }: Journey): Promise<{ life: Life; path: string }> {
  const life = await aLife()
  const path = `/hook?${++lives}`
  await stock.anEndpoint(life.key, `${receiver.url}?${lives}`, { enabledEvents: eventNames })
  await before?.(life)
  return { life, path }
}

async function endOf({ life, path }: { life: Life; path: string }): Promise<End> {
  const { storefrontId } = life.shop
  const mine = { where: { storefront_id: storefrontId }, orderBy: { id: 'asc' } } as const
  const { status } = await db().subscriptions.findUniqueOrThrow({ where: { id: life.id } })
  const orders = await db().orders.findMany(mine)
  const periods = await db().subscription_periods.findMany(mine)
  const told = (await eventsOf(life.shop)).slice(3)
  const heard = receiver.events().filter((request) => request.path === path)
  expect(heard.map(({ body }) => body.eventName)).toEqual(told)
  return {
    status,
    orders: await Promise.all(
      orders.map(async (order) => ({
        status: order.status,
        attempts: (await providerLedger(order.id)).map((entry) => entry.status),
      })),
    ),
    periods: new Set(periods.map(({ order_id }) => order_id)).size,
    events: told,
    mails: (await db().mails.findMany(mine)).map(({ kind }) => kind),
  }
}

/** One life through which nobody dies. Answers the places that it passes. */
async function undisturbed(journey: Journey): Promise<string[]> {
  const begun = await begin(journey)
  const { passed, remaining } = await survivor.move({ storefrontId: begun.life.shop.storefrontId, by: journey.by })
  expect(remaining).toBe(0)
  expect(await endOf(begun)).toEqual(journey.ends)
  expect(await brokenInvariants()).toEqual({})
  return passed
}

/** The same, with a process that dies at a place and another one that goes on. */
async function withDeathAt(place: string, journey: Journey): Promise<void> {
  const dying = doomed
  const begun = await begin(journey)
  const { storefrontId } = begun.life.shop
  const death = dying.die({ storefrontId, by: journey.by }, place)
  doomed = startRunner(program.file)
  expect(await death).toEqual({ said: place, signal: 'SIGKILL' })
  killedAt.add(place)
  expect([place, await brokenAtRest()]).toEqual([place, {}])

  await leasesEnd()
  expect([place, await survivor.move({ storefrontId, by: null })]).toMatchObject([place, { remaining: 0 }])
  expect([place, await endOf(begun)]).toEqual([place, journey.ends])
  expect([place, await brokenInvariants()]).toEqual([place, {}])
}

describe('a process that is killed in', () => {
  it.each(Object.entries(journeys))(
    '%s leaves nothing undone and nothing done twice',
    async (_name, journey) => {
      const passed = await undisturbed(journey)
      const places = [...new Set(passed)].filter((place) => !killedAt.has(place) || journey.again?.test(place))
      expect(places).not.toEqual([])
      for (const place of places) await withDeathAt(place, journey)
    },
    240_000,
  )

  it('was killed at each of the places', () => {
    const last = [...killedAt].map((place) => place.split(' ').at(-1))
    expect([...new Set(last)].sort()).toEqual([...failpoints].sort())
  })
})
