import { afterAll, beforeAll, expect, test } from 'vitest'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator } from '../testing/operator.ts'
import { drainTasks, get, pass, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  cookies = (await anOperator('cut-lists@example.com')).cookies
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const parametersOf = (url: string | null | undefined) =>
  Object.fromEntries(new URL(url ?? '', 'http://localhost').searchParams)

test('the page of a customer links to the full lists if there are more than 50 subscriptions or orders', async () => {
  const { shop, key, planId } = await subscriptionScenario()
  const place = { mode: 'test', storefrontId: shop.storefrontId }
  const products = Array.from({ length: 50 }, () => ({ id: planId, quantity: 1 }))
  const email = 'many@example.com'
  const { customerId } = await factories.pay(key, await factories.aCheckout(key, planId, { products }), { email })
  await drainTasks()
  const page = () => admin.customerPage(place, customerId, cookies)
  expect(await page()).toMatchObject({ moreSubscriptionsUrl: null, moreOrdersUrl: null })
  await factories.pay(key, await factories.aCheckout(key, planId), { email })
  await drainTasks()
  await pass({ key }, 'P1M')
  const { moreSubscriptionsUrl, moreOrdersUrl, subscriptions, orders } = (await page()) ?? {}
  expect([subscriptions?.length, orders?.length]).toEqual([50, 50])
  const root = `/admin/test/${shop.storefrontId}`
  expect(moreSubscriptionsUrl).toBe(`${root}/subscriptions?customer=${customerId}`)
  expect(moreOrdersUrl).toBe(`${root}/orders?customer=${customerId}`)

  const list = await admin.ordersPage(place, parametersOf(moreOrdersUrl), cookies)
  const older = await admin.ordersPage(place, parametersOf(list?.olderUrl), cookies)
  const all = [...(list?.rows ?? []), ...(older?.rows ?? [])]
  expect([all.length, older?.olderUrl, list?.customerId]).toEqual([53, null, customerId])
  expect(new Set(all.map((order) => order.customerId))).toEqual(new Set([customerId]))
  expect(list?.exportUrl).toBe(`${root}/export/orders?customer=${customerId}`)
  let file = ''
  const narrowed = new URLSearchParams({ customer: customerId })
  for await (const part of (await admin.exportCsv(place, 'orders', narrowed, cookies))?.parts ?? []) file += part
  expect(file.trim().split('\r\n')).toHaveLength(54)
  const ofCustomer = await admin.subscriptionsPage(place, parametersOf(moreSubscriptionsUrl), cookies)
  expect([ofCustomer?.rows.length, ofCustomer?.customerId]).toEqual([50, customerId])
  expect((await admin.subscriptionsPage(place, parametersOf(ofCustomer?.olderUrl), cookies))?.rows).toHaveLength(1)
})

test('the timeline of a subscription shows at most 100 entries and then links to the orders', async () => {
  const scenario = await subscriptionScenario()
  const place = { mode: 'test', storefrontId: scenario.shop.storefrontId }
  const page = () => admin.subscriptionPage(place, scenario.id, cookies)
  expect((await page())?.moreUrl).toBeNull()
  await pass(scenario, 'P27M')
  const { customerId } = await get(scenario.key, `/v1/subscriptions/${scenario.id}`)
  expect((await page())?.timeline).toHaveLength(100)
  expect((await page())?.moreUrl).toBe(`/admin/test/${scenario.shop.storefrontId}/orders?customer=${customerId}`)
})
