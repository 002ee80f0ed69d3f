import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import * as factories from '../testing/factories.ts'
import { anOperator } from '../testing/operator.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { ask, drainTasks, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  ;({ cookies } = await anOperator('sorted-lists@example.com'))
})

const at = ({ storefrontId }: Shop) => ({ mode: 'test', storefrontId })
type Parameters = Record<string, string>
type Read = (parameters: Parameters) => Promise<{
  rows: readonly { id: string }[]
  newerUrl: string | null
  olderUrl: string | null
  dates?: { others: readonly { url: string; direction: string | null }[]; isByDate: boolean; sort: string | null }
} | null>

const parametersOf = (url: string): Parameters => Object.fromEntries(new URL(url, 'http://localhost').searchParams)

/**
 * Returns the ids of all rows of a list. The ids in `down` come from following the links to older pages, and the ids in
 * `up` from following the links back to newer pages.
 */
async function walked(read: Read, parameters: Parameters): Promise<{ down: string[]; up: string[] }> {
  const [down, up]: [string[], string[]] = [[], []]
  let page = await read(parameters)
  for (;;) {
    down.push(...(page?.rows.map(({ id }) => id) ?? []))
    if (!page?.olderUrl) break
    page = await read(parametersOf(page.olderUrl))
  }
  for (;;) {
    up.unshift(...(page?.rows.map(({ id }) => id) ?? []))
    if (!page?.newerUrl) break
    page = await read(parametersOf(page.newerUrl))
  }
  return { down, up }
}

/** Creates 120 copies of an order, with repeated amounts in two currencies. */
async function copiedOrders({ shop }: Scenario): Promise<{ id: string; currency: string; total: bigint }[]> {
  await db().$executeRaw`
    INSERT INTO orders SELECT copy.* FROM (SELECT to_jsonb(own) AS j FROM orders own WHERE storefront_id = ${shop.storefrontId} LIMIT 1) one,
      generate_series(1, 120) n, LATERAL jsonb_populate_record(NULL::orders, j || jsonb_build_object(
        'id', 'order_' || lpad(n::text, 22, '0'), 'checkout_id', NULL, 'invoice_number', 'N-' || n, 'total', n % 7 + 1,
        'subtotal', 0, 'reversed_subtotal', 0, 'tax_summary', '[]'::jsonb, 'verifying_subscription_id', NULL,
        'currency', CASE WHEN n % 2 = 0 THEN 'EUR' ELSE 'USD' END, 'exchange_rate', CASE WHEN n % 2 = 0 THEN NULL ELSE '1.1' END,
        'exchange_rate_source', CASE WHEN n % 2 = 0 THEN NULL ELSE 'ecb' END, 'exchange_rate_on', CASE WHEN n % 2 = 0 THEN NULL ELSE '2027-01-01' END)) copy`
  return db().orders.findMany({
    where: { storefront_id: shop.storefrontId },
    select: { id: true, currency: true, total: true },
  })
}

const compared = <Row extends { id: string }>(...keys: ((row: Row) => string | bigint)[]) => {
  const all = [...keys, ({ id }: Row) => id]
  return (a: Row, b: Row): number => {
    for (const key of all) if (key(a) !== key(b)) return key(a) < key(b) ? -1 : 1
    return 0
  }
}

describe('a list that is sorted by another column', () => {
  test('orders can be sorted by currency and amount in both directions, and paging lists each order once', async () => {
    const scenario = await subscriptionScenario()
    const rising = (await copiedOrders(scenario))
      .sort(
        compared(
          ({ currency }) => currency,
          ({ total }) => total,
        ),
      )
      .map(({ id }) => id)
    const read: Read = (parameters) => admin.ordersPage(at(scenario.shop), parameters, cookies)
    const falling = rising.toReversed()
    expect(await walked(read, { sort: 'amount' })).toEqual({ down: falling, up: falling })
    expect(await walked(read, { sort: 'amount-reverse' })).toEqual({ down: rising, up: rising })
    expect(await walked(read, { sort: 'amount', status: 'paid' })).toEqual({ down: falling, up: falling })
    expect((await read({ sort: 'amount', status: 'expired' }))?.rows).toEqual([])
  })

  test('subscriptions can be sorted by next charge, and subscriptions without a next charge are last', async () => {
    const scenario = await subscriptionScenario()
    const buy = async (email: string, plan: object = {}) => {
      const { id } = await factories.aPlan(scenario.key, plan)
      await factories.pay(scenario.key, await factories.aCheckout(scenario.key, id), { email })
      await drainTasks()
    }
    await buy('weekly@example.com', { interval: 'week' })
    await buy('yearly@example.com', { interval: 'year' })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    const read = (sort: string) => admin.subscriptionsPage(at(scenario.shop), { sort }, cookies)
    const times = async (sort: string) => (await read(sort))?.rows.map(({ nextRenewalAt }) => nextRenewalAt)
    const [week, year, none, ...others] = (await times('next-charge')) ?? []
    expect(others).toEqual([])
    expect(none).toBeNull()
    expect(String(week) < String(year)).toBe(true)
    expect(await times('next-charge-reverse')).toEqual([null, year, week])
    const active = await admin.subscriptionsPage(at(scenario.shop), { sort: 'next-charge', status: 'active' }, cookies)
    expect(active?.rows.map(({ nextRenewalAt }) => nextRenewalAt)).toEqual([week, year])
  })

  test('customers are sorted by name regardless of case, or by email address if they have no name', async () => {
    const shop = await aShop({})
    const other = await aShop({})
    for (const [email, name] of [
      ['z@example.com', 'ada'],
      ['y@example.com', 'Bob'],
      ['bella@example.com', null],
      ['x@example.com', 'Ada'],
    ])
      await factories.aCustomer(shop.testKey, { email, ...(name && { name }) })
    await factories.aCustomer(other.testKey, { email: 'aa@example.com' })
    const names = async (sort: string) =>
      (await admin.customersPage(at(shop), { sort }, cookies))?.rows.map(({ name, email }) => name ?? email)
    expect(await names('name')).toEqual(['ada', 'Ada', 'bella@example.com', 'Bob'])
    expect(await names('name-reverse')).toEqual(['Bob', 'bella@example.com', 'Ada', 'ada'])
  })

  test('a column link reverses the sort, a status filter keeps the sort, and a date filter sorts by date', async () => {
    const { shop } = await subscriptionScenario()
    const list = (parameters: Parameters) => admin.ordersPage(at(shop), parameters, cookies)
    const newest = await list({ status: 'paid' })
    expect(newest?.dates).toMatchObject({ isByDate: true, sort: null })
    expect(newest?.dates?.others).toMatchObject([{ name: 'amount', direction: null, isReverse: false }])
    const byAmount = await list(parametersOf(newest?.dates?.others[0]?.url ?? ''))
    expect(byAmount?.dates).toMatchObject({ isByDate: false, sort: 'amount' })
    const [sort] = byAmount?.dates?.others ?? []
    expect(sort).toMatchObject({ direction: 'descending', isReverse: true })
    expect(parametersOf(sort?.url ?? '')).toEqual({ status: 'paid', sort: 'amount-reverse' })
    expect(parametersOf(byAmount?.dates?.turnedUrl ?? '')).toEqual({ status: 'paid' })
    expect(byAmount?.dates?.kept).toEqual([['status', 'paid']])
    const ofDays = await list({ sort: 'amount', from: '2027-01-01' })
    expect(ofDays?.dates).toMatchObject({ isByDate: true, sort: null, others: [] })
    expect(await list({ sort: 'spend' })).toMatchObject({ dates: { isByDate: true, sort: null } })
  })

  test('a cursor of another storefront or an unknown cursor leads to the first page of a list', async () => {
    const own = await subscriptionScenario()
    const other = await subscriptionScenario()
    const [order] = await db().orders.findMany({
      where: { storefront_id: own.shop.storefrontId },
      select: { id: true },
    })
    const [foreign] = await db().orders.findMany({
      where: { storefront_id: other.shop.storefrontId },
      select: { id: true },
    })
    const rows = async (parameters: Parameters) =>
      (await admin.ordersPage(at(own.shop), { sort: 'amount', ...parameters }, cookies))?.rows.map(({ id }) => id)
    expect(await rows({ startingAfter: foreign?.id ?? '' })).toEqual([order?.id])
    expect(await rows({ startingAfter: 'order_1' })).toEqual([order?.id])
    expect(await rows({ startingAfter: order?.id ?? '' })).toEqual([])
  })
})
