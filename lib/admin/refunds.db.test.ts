import { afterEach, expect, test } from 'vitest'
import { brokenInvariants } from '../testing/invariants.ts'
import { lockOn } from '../testing/lock-on.ts'
import { anOperator } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { get, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

afterEach(async () => expect(await brokenInvariants()).toEqual({}))

/** An order of 100.00 before 21 % tax. */
async function anOrder(email: string) {
  const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
  const order = (await ordersOf(scenario)).at(-1)
  const { cookies } = await anOperator(email)
  const place = { mode: 'test', storefrontId: scenario.shop.storefrontId }
  const preview = (typed: Record<string, string>) => admin.refundPage(place, order.id, Object.entries(typed), cookies)
  const submit = (typed: Record<string, string>, key: string = crypto.randomUUID()) =>
    admin.submitOrder(place, order.id, new URLSearchParams({ intent: 'refund', key, ...typed }), cookies)
  const page = () => admin.orderPage(place, order.id, cookies)
  return { scenario, order, preview, submit, page }
}

const refundsOf = async ({ key }: Scenario, orderId: string) => (await get(key, `/v1/orders/${orderId}/refunds`)).data

test('a refund of half of an order is exact to the cent, and has its reason', async () => {
  const { scenario, order, preview, submit, page } = await anOrder('half@example.com')
  const typed = { sum: '50%', reason: 'The customer moved.' }
  const shown = await preview(typed)
  expect(shown).toMatchObject({ problems: {}, preview: { subtotal: { value: '50.00' }, total: { value: '60.50' } } })
  expect((await submit(typed))?.redirectTo).toMatch(/\?done=refunded$/)
  const [refund] = await refundsOf(scenario, order.id)
  expect(refund).toMatchObject({ status: 'pending', total: { value: '60.50' } })
  expect((await page())?.refundReasons).toEqual({ [refund.id]: 'The customer moved.' })
})

test.each([
  ['10', 'included', '8.26', '10.00'],
  ['1 0,5', 'excluded', '10.50', '12.71'],
] as const)('%s with tax %s', async (sum, tax, net, gross) => {
  const { scenario, order, preview, submit } = await anOrder(`amount-${tax}@example.com`)
  expect(await preview({ sum, tax })).toMatchObject({ preview: { subtotal: { value: net }, total: { value: gross } } })
  await submit({ sum, tax })
  expect(await refundsOf(scenario, order.id)).toMatchObject([{ subtotal: { value: net }, total: { value: gross } }])
})

test('the preview of a full refund shows everything that is left, and its button refunds exactly this', async () => {
  const { scenario, order, preview, submit } = await anOrder('full@example.com')
  const shown = await preview({ full: 'yes', [`amount.${order.lines[0].id}`]: '1.00' })
  expect(shown).toMatchObject({ form: { sum: '121.00', amounts: {} }, preview: { total: { value: '121.00' } } })
  await submit({ sum: '1.00' })
  // Another refund was made in the meantime: the button must not refund an amount that it did not show.
  const late = await submit({ sum: '121.00' })
  expect(late?.redirectTo).toMatch(/\/refund\?sum=121.00&tax=included#problems$/)
  expect(await refundsOf(scenario, order.id)).toHaveLength(1)
  await submit({ sum: '120.00' })
  expect(await refundsOf(scenario, order.id)).toMatchObject([
    { total: { value: '120.00' } },
    { total: { value: '1.00' } },
  ])
})

test('two people who refund the full order at the same time create one refund', async () => {
  const { scenario, order, submit } = await anOrder('twice@example.com')
  const ends = await raceBehind(lockOn('orders', order.id), [
    () => submit({ sum: '100%' }),
    () => submit({ sum: '100%' }),
  ])
  const targets = ends.map((end) => (end.status === 'fulfilled' ? end.value?.redirectTo : end.reason))
  expect(targets.filter((target) => /done=refunded$/.test(target))).toHaveLength(1)
  expect(await refundsOf(scenario, order.id)).toMatchObject([{ total: { value: '121.00' } }])
})

test.each([
  ['half', /amount such as 15.50, or a share/],
  ['121.01', /with tax: 121.00 EUR/],
  ['0', /between 0.01 and/],
])('an amount of %s is refused with an error on its field', async (sum, sentence) => {
  const { scenario, order, preview, submit } = await anOrder(`wrong-${sum.length}-${sum}@example.com`)
  expect(await preview({ sum })).toMatchObject({ preview: null, problems: { sum: expect.stringMatching(sentence) } })
  expect((await submit({ sum }))?.redirectTo).toMatch(/\/refund\?sum=.*#problems$/)
  expect(await refundsOf(scenario, order.id)).toEqual([])
})

test('an amount of the order is refused together with amounts of lines', async () => {
  const { order, preview } = await anOrder('both@example.com')
  const page = await preview({ sum: '1.00', [`amount.${order.lines[0].id}`]: '1.00' })
  expect(page).toMatchObject({ preview: null, problems: { sum: expect.stringContaining('not both') } })
})
