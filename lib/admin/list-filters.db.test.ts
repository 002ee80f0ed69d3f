import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import { copySale } from '../testing/bulk.ts'
import * as factories from '../testing/factories.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aShop } from '../testing/shop.ts'
import { ordersOf, pass, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { createFull } from '../workflows/refund/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
/** A subscription that starts on 2027-01-01 and renews on 2027-02-01 and 2027-03-01. */
let scenario: Scenario
const at = () => ({ mode: 'test', storefrontId: scenario.shop.storefrontId })

beforeAll(async () => {
  ;({ cookies } = await anOperator('list-filters@example.com'))
  scenario = await subscriptionScenario({ buyer: { companyName: 'Lumen GmbH' } })
  await pass(scenario, 'P2M')
})

const idsOf = (list: { rows: readonly { id: string }[] } | null) => list?.rows.map(({ id }) => id)
const parametersOf = (url: string | null | undefined) =>
  Object.fromEntries(new URL(url ?? '', 'https://pay.example').searchParams)

describe('the date filter and the order of a list', () => {
  test('a date filter includes the first and the last day in UTC', async () => {
    const all = (await ordersOf(scenario)).map(({ id }: { id: string }) => id)
    expect(all).toHaveLength(3)
    const between = async (from: string, to: string) =>
      (idsOf(await admin.ordersPage(at(), { from, to }, cookies)) ?? []).map((id) => all.indexOf(id))
    expect(await between('2027-01-01', '2027-01-01')).toEqual([0])
    expect(await between('2027-01-02', '2027-02-01')).toEqual([1])
    expect(await between('2027-01-01', '2027-03-01')).toEqual([2, 1, 0])
    expect(await between('2027-03-02', '')).toEqual([])
    expect(await between('2027-02-30', 'x')).toEqual([2, 1, 0])
  })

  test('the lists of subscriptions and customers can be filtered by date', async () => {
    for (const [from, count] of [
      ['2027-01-01', 1],
      ['2027-01-02', 0],
    ] as const) {
      expect((await admin.subscriptionsPage(at(), { from }, cookies))?.rows).toHaveLength(count)
      expect((await admin.customersPage(at(), { from }, cookies))?.rows).toHaveLength(count)
    }
  })

  test('a list can be sorted oldest first, its page links keep the sort order, and the link that reverses the order keeps the date filter', async () => {
    const all = (await ordersOf(scenario)).map(({ id }: { id: string }) => id)
    const list = await admin.ordersPage(at(), { sort: 'oldest', from: '2027-01-01' }, cookies)
    expect(idsOf(list)).toEqual(all)
    expect(parametersOf(list?.dates?.turnedUrl)).toEqual({ from: '2027-01-01' })
    expect(parametersOf(list?.dates?.allDaysUrl)).toEqual({ sort: 'oldest' })
    expect(parametersOf(list?.clearUrl)).toEqual({ sort: 'oldest' })
    expect(parametersOf(list?.exportUrl)).toEqual({ from: '2027-01-01' })
    const after = await admin.ordersPage(at(), { sort: 'oldest', startingAfter: all[0] ?? '' }, cookies)
    expect(idsOf(after)).toEqual(all.slice(1))
    expect(parametersOf(after?.olderUrl)).toEqual({ sort: 'oldest', endingBefore: all[1] })
    expect(after?.newerUrl).toBeNull()
  })

  test('an export of a list contains only the rows that match the date filter of the list', async () => {
    const file = await admin.exportCsv(
      at(),
      'orders',
      new URLSearchParams({ from: '2027-02-01', to: '2027-02-28' }),
      cookies,
    )
    let text = ''
    for await (const part of file?.parts ?? []) text += part
    const [, february] = await ordersOf(scenario)
    expect(text.trim().split('\r\n')).toHaveLength(2)
    expect(text).toContain(february.id)
  })
})

describe('an empty list', () => {
  test('an empty list links to the unfiltered list if a filter is active', async () => {
    const list = await admin.ordersPage(at(), { status: 'expired' }, cookies)
    expect([list?.rows, parametersOf(list?.clearUrl)]).toEqual([[], {}])
    expect((await admin.ordersPage(at(), {}, cookies))?.clearUrl).toBeUndefined()
  })

  test('an empty list offers a first action, such as creating a payment link, only to roles that may take the action', async () => {
    const shop = await aShop({})
    const place = { mode: 'test', storefrontId: shop.storefrontId }
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const { cookies: by } = await aMember('accountant-lists@example.com', merchant_id, 'accountant')
    expect((await admin.ordersPage(place, {}, cookies))?.actionUrl).toMatch(/\/payment-links\/new$/)
    expect((await admin.ordersPage(place, {}, by))?.actionUrl).toBeUndefined()
  })
})

describe('the list of customers', () => {
  test('the list of customers shows company, country, spend after refunds, and ongoing subscriptions', async () => {
    const sold = await subscriptionScenario({ buyer: { companyName: 'Quitt AG', country: 'DE' } })
    const place = { mode: 'test', storefrontId: sold.shop.storefrontId }
    await pass(sold, 'P1M')
    const row = async () =>
      (await admin.customersPage(place, {}, cookies))?.rows.find(({ id }) => id === sold.customerId)
    expect(await row()).toMatchObject({
      title: 'Quitt AG',
      country: 'DE',
      spend: [{ value: '200.00', currency: 'EUR' }],
      ongoing: 1,
      isMore: false,
    })
    const [first] = await ordersOf(sold)
    await createFull({ storefrontId: sold.shop.storefrontId, testmode: true }, first.id, { metadata: null })
    await pass(sold, 'PT1H')
    expect((await row())?.spend).toEqual([{ value: '100.00', currency: 'EUR' }])
  })

  test.each([
    [100, false],
    [101, true],
  ])(
    'for a customer with %i orders and subscriptions, the list of customers marks spend and subscription count as minimums: %s',
    async (count, isMore) => {
      const sold = await subscriptionScenario()
      await copySale(sold, count)
      const list = await admin.customersPage({ mode: 'test', storefrontId: sold.shop.storefrontId }, {}, cookies)
      expect(list?.rows).toMatchObject([
        { spend: [{ value: '10000.00', currency: 'EUR' }], isMore, ongoing: 100, isMoreOngoing: isMore },
      ])
    },
  )

  test('the list of customers shows the name of a customer without orders', async () => {
    const { testKey: key, storefrontId } = await aShop({})
    await factories.aCustomer(key, { email: 'grace@example.com', name: 'Grace' })
    const list = await admin.customersPage({ mode: 'test', storefrontId }, {}, cookies)
    expect(list?.rows).toMatchObject([{ title: 'Grace', country: null, spend: [], ongoing: 0, isMore: false }])
  })
})
