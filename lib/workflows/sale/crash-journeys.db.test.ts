import { describe, expect, it } from 'vitest'
import type { Duration } from '../../kernel/calendar.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskRunner } from '../../platform/jobs/task-runner.ts'
import { amount } from '../../testing/amount.ts'
import { killedAt, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { brokenAtRest, brokenInvariants } from '../../testing/invariants.ts'
import {
  aCatalogue,
  aCheckout,
  aShop,
  buyerForm,
  eventsOf,
  germanVisitor,
  runDueTasks,
  type Shop,
  tokenOf,
} from '../../testing/shop.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { advanceByDuration } from '../test-helpers/operations.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { submitCheckout } from './submit-checkout.ts'

interface Sale {
  readonly shop: Shop
  readonly id: string
  readonly token: string
}

interface Journey {
  readonly before?: (sale: Sale) => Promise<unknown>
  /**
   * The part of the journey in which the test kills the process. After a kill, the test runs this part and the due
   * tasks again.
   */
  readonly killed: (sale: Sale) => Promise<unknown>
  readonly after?: (sale: Sale) => Promise<unknown>
  readonly ends: { checkout: string; order: string; subscriptions: string[]; events: string[] }
}

async function pay({ token }: Sale, paymentMethod: string): Promise<void> {
  const next = await submitCheckout(token, buyerForm({ paymentMethod }), germanVisitor)
  if (!next?.redirectTo.includes('/pay/')) return
  const form = new URLSearchParams({ outcome: 'paid', mandate: 'valid' })
  await chooseOutcome(tokenOf(next.redirectTo), form)
}

async function decline({ id }: Sale): Promise<void> {
  const { provider_ref } = await db().payments.findFirstOrThrow({ where: { checkout_id: id } })
  const form = new URLSearchParams({ outcome: 'failed', failureReason: 'card_expired' })
  await chooseOutcome(linkToken('payment', provider_ref ?? ''), form)
}
const cancel = ({ token }: Sale) => submitCheckout(token, new URLSearchParams({ intent: 'cancel' }), germanVisitor)
const leaveAtProvider = ({ token }: Sale) => submitCheckout(token, buyerForm(), germanVisitor)

const broken: TaskRunner = { leaseMs: 90_000, run: () => Promise.reject(new Error('the process was killed')) }

async function timePasses({ shop }: Sale, by: Duration): Promise<void> {
  await advanceByDuration(shop.scope, { by }, broken)
  await leasesEnd()
}

const leasesEnd = () => db().$executeRaw`
  UPDATE tasks SET leased_until = NULL, last_error = NULL, run_at = clock_timestamp() - interval '1 second'
  WHERE leased_until IS NOT NULL OR last_error IS NOT NULL`

/** The test payment page cannot fail a pending debit, so this function changes the provider's records. */
async function bankRefuses({ shop }: Sale): Promise<void> {
  const books = { where: { storefront_id: shop.storefrontId, status: 'pending' as const } }
  await db().sandbox_payments.updateMany({ ...books, data: { status: 'failed', failure_reason: 'insufficient_funds' } })
}

async function updateArrives({ shop, id }: Sale): Promise<void> {
  const { provider_ref } = await db().payments.findFirstOrThrow({
    where: { checkout_id: id, method: 'directdebit' },
    orderBy: { id: 'desc' },
  })
  await syncWithProvider(shop.scope, provider_ref ?? '')
}

async function comesBack(sale: Sale): Promise<void> {
  await pay(sale, 'directdebit')
  await bankRefuses(sale)
  await updateArrives(sale)
}

const saleEvents = ['checkout.paid', 'subscription.started', 'order.paid']
const sold = { checkout: 'paid', order: 'paid', subscriptions: ['active'] }

const journeys: Record<string, Journey> = {
  'a direct debit is pending': {
    killed: (sale) => pay(sale, 'directdebit'),
    after: async (sale) => {
      await timePasses(sale, { minutes: 15 })
      await runDueTasks()
    },
    ends: { ...sold, events: saleEvents },
  },
  'a direct debit settles': {
    before: async (sale) => {
      await pay(sale, 'directdebit')
      await timePasses(sale, { minutes: 15 })
    },
    killed: () => runDueTasks(),
    ends: { ...sold, events: saleEvents },
  },
  'the bank refuses a direct debit, and another method pays': {
    before: async (sale) => {
      await pay(sale, 'directdebit')
      await bankRefuses(sale)
    },
    killed: updateArrives,
    after: (sale) => pay(sale, 'ideal'),
    ends: { ...sold, events: ['checkout.failed', ...saleEvents] },
  },
  'a payment is declined, and another method pays': {
    before: leaveAtProvider,
    killed: decline,
    after: (sale) => pay(sale, 'paypal'),
    ends: { ...sold, events: ['checkout.failed', ...saleEvents] },
  },
  'the buyer cancels with an open payment': {
    before: leaveAtProvider,
    killed: cancel,
    ends: {
      checkout: 'canceled',
      order: 'canceled',
      subscriptions: [],
      events: ['checkout.canceled', 'order.canceled'],
    },
  },
  'the buyer cancels after the bank refused a direct debit': {
    before: comesBack,
    killed: cancel,
    ends: {
      checkout: 'canceled',
      order: 'canceled',
      subscriptions: ['canceled'],
      events: ['checkout.failed', 'checkout.canceled', 'order.canceled'],
    },
  },
  'the checkout expires with an open payment': {
    before: async (sale) => {
      await leaveAtProvider(sale)
      await timePasses(sale, { hours: 25 })
    },
    killed: () => runDueTasks(),
    ends: { checkout: 'expired', order: 'expired', subscriptions: [], events: ['checkout.expired'] },
  },
  'the checkout expires after the bank refused a direct debit': {
    before: async (sale) => {
      await comesBack(sale)
      await timePasses(sale, { hours: 25 })
    },
    killed: () => runDueTasks(),
    ends: {
      checkout: 'expired',
      order: 'expired',
      subscriptions: ['canceled'],
      events: ['checkout.failed', 'checkout.expired'],
    },
  },
  'the checkout reaches its expiry during a pending direct debit': {
    before: async (sale) => {
      await timePasses(sale, { hours: 23, minutes: 55 })
      await pay(sale, 'directdebit')
      await timePasses(sale, { minutes: 6 })
    },
    killed: () => runDueTasks(),
    after: async (sale) => {
      await timePasses(sale, { minutes: 30 })
      await runDueTasks()
    },
    ends: { ...sold, events: saleEvents },
  },
}

async function begin({ before }: Journey): Promise<Sale> {
  const shop = await aShop()
  const { planId, productId } = await aCatalogue(shop)
  const sale = { shop, ...(await aCheckout(shop, [{ id: planId }, { id: productId }])) }
  await before?.(sale)
  return sale
}

async function killedAfter(n: number, { killed, after, ends }: Journey, sale: Sale): Promise<boolean> {
  // A kill after a query leaves the same database as a kill before the next query. So this test covers kills after queries only.
  const died = await killedAt(n, 'after', () => killed(sale), places())
  expect([n, await brokenAtRest()]).toEqual([n, {}])
  await leasesEnd()
  if (n % 2) await runDueTasks()
  await killed(sale)
  await runDueTasks()
  await after?.(sale)
  expect([n, await brokenInvariants()]).toEqual([n, {}])
  expect([n, await stateOf(sale)]).toEqual([n, ends])
  return died
}

async function stateOf({ shop, id }: Sale): Promise<Journey['ends']> {
  const { status: checkout } = await db().checkouts.findUniqueOrThrow({ where: { id } })
  const { id: orderId, status: order } = await db().orders.findUniqueOrThrow({ where: { checkout_id: id } })
  const subscriptions = await db().subscriptions.findMany({ where: { storefront_id: shop.storefrontId } })
  const unknown = { order_id: orderId, open_order_id: { not: null } }
  expect(await db().payments.findMany({ where: unknown })).toEqual([])
  return { checkout, order, subscriptions: subscriptions.map((each) => each.status), events: await eventsOf(shop) }
}

describe('a sale in a killed process', () => {
  it.each(Object.entries(journeys))(
    'a sale reaches its final state even if the process is killed after any query: %s',
    async (_name, journey) => {
      const sale = await begin(journey)
      const restore = await takeSnapshot()
      let n = 1
      for (; await killedAfter(n, journey, sale); n++) await restore()
      expect(n).toBeGreaterThan(amount({ short: 1, long: 10 }))
    },
  )
})
