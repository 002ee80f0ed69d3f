import { afterEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { killedAt } from '../../testing/crash.ts'
import { failpoints } from '../../testing/failpoints.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import { lockOn } from '../../testing/lock-on.ts'
import {
  cancelAtOnce,
  type OwedSale,
  payOnPage,
  returnedDebit,
  statusesOf,
  submitNewMethod,
  subscriptionsOf,
} from '../../testing/owed-sale.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks, onProvidersPage } from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import { drainTasks, pass } from '../../testing/subscription-scenario.ts'

const paymentsOf = async ({ orderId }: OwedSale) =>
  (await db().payments.findMany({ where: { order_id: orderId }, orderBy: { id: 'asc' } })).map(
    ({ method, status }) => `${method} ${status}`,
  )

/** The money that the provider took and kept for the order. */
const takenFor = async ({ orderId }: OwedSale) => {
  const [{ count = 0 } = {}] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM sandbox_payments s JOIN payments p ON p.id = s.idempotency_key
    WHERE p.order_id = ${orderId} AND s.status = 'paid' AND p.return_ref IS NULL`
  return count
}

async function race({ orderId }: OwedSale, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const ends = await raceBehind<unknown>(lockOn('orders', orderId), [first, second], 2, undefined, { inTurn: true })
  expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : end.status))).toEqual([
    'fulfilled',
    'fulfilled',
  ])
}

const inBothOrders = [
  ['the new method first', true],
  ['the other first', false],
] as const

describe('an owed sale is paid once', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it.each(inBothOrders)(
    'an owed sale is paid once by a new method next to the begin of a payment on the page (%s)',
    async (_, isFirst) => {
      const sale = await returnedDebit()
      const verified = await submitNewMethod(sale, 'creditcard')
      const leave = () => onProvidersPage(verified)
      const begin = () => payOnPage(sale, 'paypal')
      await (isFirst ? race(sale, leave, begin) : race(sale, begin, leave))
      await drainTasks()
      if (isFirst) expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'creditcard paid'])
      else
        expect((await paymentsOf(sale)).slice(0, 2)).toEqual(['directdebit failed', expect.stringMatching(/^paypal/)])
      expect(await takenFor(sale)).toBeLessThanOrEqual(1)
      expect((await paymentsOf(sale)).filter((each) => /paid|open|created|pending/.test(each))).toHaveLength(1)
    },
  )

  it.each(inBothOrders)(
    'an owed sale is paid once by a new method next to the success of a payment on the page (%s)',
    async (_, isFirst) => {
      const sale = await returnedDebit()
      const next = await payOnPage(sale, 'paypal')
      const verified = await submitNewMethod(sale, 'creditcard')
      const leave = () => onProvidersPage(verified)
      const pay = () => onProvidersPage(next)
      await (isFirst ? race(sale, leave, pay) : race(sale, pay, leave))
      await drainTasks()
      expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal paid'])
      expect(await takenFor(sale)).toBe(1)
    },
  )

  it.each(inBothOrders)(
    'an owed sale is paid once by a new method next to the failure of a payment on the page (%s)',
    async (_, isFirst) => {
      const sale = await returnedDebit()
      const next = await payOnPage(sale, 'paypal')
      const verified = await submitNewMethod(sale, 'creditcard')
      const leave = () => onProvidersPage(verified)
      const leavePage = () => onProvidersPage(next, { outcome: 'canceled' })
      await (isFirst ? race(sale, leave, leavePage) : race(sale, leavePage, leave))
      await drainTasks()
      expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal canceled', 'creditcard paid'])
      expect(await takenFor(sale)).toBe(1)
    },
  )

  it('an owed sale is paid once if two subscriptions get new methods concurrently', async () => {
    const sale = await returnedDebit({ plans: 2 })
    const [one, other] = [await submitNewMethod(sale, 'creditcard', 0), await submitNewMethod(sale, 'paypal', 1)]
    await race(
      sale,
      () => onProvidersPage(one),
      () => onProvidersPage(other),
    )
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'creditcard paid'])
    expect(await takenFor(sale)).toBe(1)
  })

  it.each(inBothOrders)('when a new method is left beside the last step of the recovery (%s)', async (_, isFirst) => {
    const sale = await returnedDebit()
    await pass(sale, 'P20D')
    await advanceWithoutTasks(sale, { days: 2 })
    const verified = await submitNewMethod(sale, 'creditcard')
    const leave = () => onProvidersPage(verified)
    const step = async () => {
      await runDueTasks()
    }
    await (isFirst ? race(sale, leave, step) : race(sale, step, leave))
    await drainTasks()
    const outcome = [await paymentsOf(sale), (await statusesOf(sale))[0], await subscriptionsOf(sale)]
    const collected = [['directdebit failed', 'creditcard paid'], 'paid', ['active']]
    expect(outcome).toEqual(isFirst ? collected : [['directdebit failed'], 'canceled', ['canceled']])
  })

  it.each(inBothOrders)('when a new method is left beside a reminder of the recovery (%s)', async (_, isFirst) => {
    const sale = await returnedDebit()
    await advanceWithoutTasks(sale, { days: 2 })
    // After the advance, because the task at the end of an unfinished verification is due after one day.
    const verified = await submitNewMethod(sale, 'ideal')
    const leave = () => onProvidersPage(verified)
    const step = async () => {
      await runDueTasks()
    }
    await (isFirst ? race(sale, leave, step) : race(sale, step, leave))
    await pass(sale, 'P2D')
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'directdebit paid'])
  })
})

describe('an owed sale is written off once', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it('an owed sale is written off once if its two subscriptions are canceled concurrently', async () => {
    const sale = await returnedDebit({ plans: 2 })
    await race(
      sale,
      () => cancelAtOnce(sale, 0),
      () => cancelAtOnce(sale, 1),
    )
    await drainTasks()
    expect(await statusesOf(sale)).toEqual(['canceled', 'paid'])
    expect((await eventsOf(sale.shop)).filter((name) => name === 'order.canceled')).toHaveLength(1)
  })

  it.each([
    ['the cancellation first', true],
    ['the payment first', false],
  ])('or paid, when a cancellation meets the success of a payment (%s)', async (_, isFirst) => {
    const sale = await returnedDebit()
    const next = await payOnPage(sale, 'paypal')
    const cancel = () => cancelAtOnce(sale)
    const pay = () => onProvidersPage(next)
    await (isFirst ? race(sale, cancel, pay) : race(sale, pay, cancel))
    await drainTasks()
    expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal paid'])
    expect(await statusesOf(sale)).toEqual(['paid'])
    expect(await subscriptionsOf(sale)).toEqual(['canceled'])
  })

  it.each([
    ['the cancellation first', true],
    ['the payment first', false],
  ])('when a cancellation meets the begin of a payment (%s)', async (_, isFirst) => {
    const sale = await returnedDebit()
    const cancel = () => cancelAtOnce(sale)
    const begin = () => payOnPage(sale, 'paypal')
    await (isFirst ? race(sale, cancel, begin) : race(sale, begin, cancel))
    await drainTasks()
    expect(await takenFor(sale)).toBe(0)
    const isOpen = (await paymentsOf(sale)).includes('paypal open')
    // The payment decides if its page was opened before the cancellation.
    expect(await statusesOf(sale)).toEqual(isOpen ? ['pending'] : ['canceled', 'paid'])
  })
})

describe('a process that is killed while it writes an owed sale off', () => {
  const points = failpoints.filter((point) => point.startsWith('write_off.'))

  it.each(points)('at %s, leaves the sale owed, and the repeated cancellation writes it off', async (point) => {
    const sale = await returnedDebit()
    let isReached = false
    Object.assign(globalThis, { billhookFailpoint: (name: string) => (isReached ||= name === point) })
    try {
      const isKilled = await killedAt(
        1,
        'before',
        () => cancelAtOnce(sale),
        () => isReached,
      )
      expect(isKilled).toBe(true)
    } finally {
      Object.assign(globalThis, { billhookFailpoint: undefined })
    }
    expect([await statusesOf(sale), await subscriptionsOf(sale)]).toEqual([['pending'], ['active']])
    expect(await brokenInvariants()).toEqual({})
    await cancelAtOnce(sale)
    await drainTasks()
    expect([await statusesOf(sale), await subscriptionsOf(sale)]).toEqual([['canceled', 'paid'], ['canceled']])
    expect(await brokenInvariants()).toEqual({})
  })
})

interface End {
  orders: string[]
  subscriptions: string[]
  payments: string[]
}

const journeys: Record<string, Journey<OwedSale, End>> = {
  'a new payment method of an owed sale': {
    begin: (sale) => submitNewMethod(sale, 'creditcard'),
    killed: async (_sale, verified) => {
      await onProvidersPage(verified as Awaited<ReturnType<typeof submitNewMethod>>)
      await runDueTasks()
    },
    ends: {
      orders: ['paid', 'paid'],
      subscriptions: ['active'],
      payments: ['directdebit failed', 'creditcard paid'],
    },
  },
}

testKillAtEachCommit(journeys, {
  begin: returnedDebit,
  endOf: async (sale) => ({
    orders: (await statusesOf(sale)).sort(),
    subscriptions: await subscriptionsOf(sale),
    payments: await paymentsOf(sale),
  }),
  whole: (ends: End) => ends,
  places: 2,
})
