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
import { sameBeginning } from '../../testing/same-beginning.ts'
import { advanceWithoutTasks, onProvidersPage } from '../../testing/scenarios.ts'
import { eventsOf, runDueTasks } from '../../testing/shop.ts'
import { drainTasks, pass } from '../../testing/subscription-scenario.ts'

const aReturnedDebit = sameBeginning(returnedDebit)

const paymentsOf = async ({ orderId }: OwedSale) =>
  (await db().payments.findMany({ where: { order_id: orderId }, orderBy: { id: 'asc' } })).map(
    ({ method, status }) => `${method} ${status}`,
  )

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
  ['the new method second', false],
] as const

describe('concurrent payments of a sale with a returned debit', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it.each(inBothOrders)(
    'an unpaid sale is paid at most once if a method is added while a payment on the checkout page starts (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
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
    'an unpaid sale is paid once if a method is added while a payment on the checkout page succeeds (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
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
    'an unpaid sale is paid once if a method is added while a payment on the checkout page fails (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
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

  it('an unpaid sale is paid once if two subscriptions get new methods concurrently', async () => {
    const sale = await aReturnedDebit({ plans: 2 })
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

  it.each(inBothOrders)(
    'an unpaid sale is either paid or written off if a method is added during the last step of the recovery (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
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
    },
  )

  it.each(inBothOrders)(
    'an unpaid sale is paid once if a method is added during a reminder of the recovery (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
      await advanceWithoutTasks(sale, { days: 2 })
      // The test chooses the method after the advance, because an unfinished verification expires after one day.
      const verified = await submitNewMethod(sale, 'ideal')
      const leave = () => onProvidersPage(verified)
      const step = async () => {
        await runDueTasks()
      }
      await (isFirst ? race(sale, leave, step) : race(sale, step, leave))
      await pass(sale, 'P2D')
      expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'directdebit paid'])
    },
  )
})

describe('concurrent cancellations of a sale with a returned debit', () => {
  afterEach(async () => {
    expect(await brokenInvariants()).toEqual({})
  })

  it('an unpaid sale is written off once if its two subscriptions are canceled concurrently', async () => {
    const sale = await aReturnedDebit({ plans: 2 })
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
  ])(
    'an unpaid sale is paid even if the subscription is canceled while a payment succeeds (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
      const next = await payOnPage(sale, 'paypal')
      const cancel = () => cancelAtOnce(sale)
      const pay = () => onProvidersPage(next)
      await (isFirst ? race(sale, cancel, pay) : race(sale, pay, cancel))
      await drainTasks()
      expect(await paymentsOf(sale)).toEqual(['directdebit failed', 'paypal paid'])
      expect(await statusesOf(sale)).toEqual(['paid'])
      expect(await subscriptionsOf(sale)).toEqual(['canceled'])
    },
  )

  it.each([
    ['the cancellation first', true],
    ['the payment first', false],
  ])(
    'if the subscription is canceled while a payment starts, the sale is written off unless the payment page is open (%s)',
    async (_, isFirst) => {
      const sale = await aReturnedDebit()
      const cancel = () => cancelAtOnce(sale)
      const begin = () => payOnPage(sale, 'paypal')
      await (isFirst ? race(sale, cancel, begin) : race(sale, begin, cancel))
      await drainTasks()
      expect(await takenFor(sale)).toBe(0)
      const isOpen = (await paymentsOf(sale)).includes('paypal open')
      // If the payment page was opened before the cancellation, the order stays pending until this payment has an outcome.
      expect(await statusesOf(sale)).toEqual(isOpen ? ['pending'] : ['canceled', 'paid'])
    },
  )
})

describe('a process killed during the write-off of a sale with a returned debit', () => {
  const points = failpoints.filter((point) => point.startsWith('write_off.'))

  it.each(points)(
    'if the process is killed at %s during a cancellation, the sale stays unpaid until a second cancellation writes off the sale',
    async (point) => {
      const sale = await aReturnedDebit()
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
    },
  )
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
  begin: () => returnedDebit(),
  endOf: async (sale) => ({
    orders: (await statusesOf(sale)).sort(),
    subscriptions: await subscriptionsOf(sale),
    payments: await paymentsOf(sale),
  }),
  whole: (ends: End) => ends,
  places: 2,
})
