import { afterAll, expect, test } from 'vitest'
import { brokenInvariants } from '../testing/invariants.ts'
import { lockOn } from '../testing/lock-on.ts'
import { anOperator } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { get, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

afterAll(async () => expect(await brokenInvariants()).toEqual({}))

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

test('a refund of half an order is exact to the cent and stores its reason', async () => {
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
] as const)(
  'an entered refund amount of %s (tax %s) gives a refund of %s before tax and %s with tax',
  async (sum, tax, net, gross) => {
    const { scenario, order, preview, submit } = await anOrder(`amount-${tax}@example.com`)
    expect(await preview({ sum, tax })).toMatchObject({
      preview: { subtotal: { value: net }, total: { value: gross } },
    })
    await submit({ sum, tax })
    expect(await refundsOf(scenario, order.id)).toMatchObject([{ subtotal: { value: net }, total: { value: gross } }])
  },
)

test('the preview of a full refund shows the remaining amount, and a refund above the remaining amount is refused', async () => {
  const { scenario, order, preview, submit } = await anOrder('full@example.com')
  const shown = await preview({ full: 'yes', [`amount.${order.lines[0].id}`]: '1.00' })
  expect(shown).toMatchObject({ form: { sum: '121.00', amounts: {} }, preview: { total: { value: '121.00' } } })
  await submit({ sum: '1.00' })
  // Another refund reduced the remaining amount after the preview, so the button must not refund the outdated amount.
  const late = await submit({ sum: '121.00' })
  expect(late?.redirectTo).toMatch(/\/refund\?sum=121.00&tax=included#problems$/)
  expect(await refundsOf(scenario, order.id)).toHaveLength(1)
  await submit({ sum: '120.00' })
  expect(await refundsOf(scenario, order.id)).toMatchObject([
    { total: { value: '120.00' } },
    { total: { value: '1.00' } },
  ])
})

test('if two people refund the full order at the same time, one refund is created', async () => {
  const { scenario, order, submit } = await anOrder('twice@example.com')
  const ends = await raceBehind(lockOn('orders', order.id), [
    () => submit({ sum: '100%' }),
    () => submit({ sum: '100%' }),
  ])
  const targets = ends.map((end) => (end.status === 'fulfilled' ? end.value?.redirectTo : end.reason))
  expect(targets.filter((target) => /done=refunded$/.test(target))).toHaveLength(1)
  expect(await refundsOf(scenario, order.id)).toMatchObject([{ total: { value: '121.00' } }])
})

test('an invalid refund amount is refused with an error on the amount field', async () => {
  const { scenario, order, preview, submit } = await anOrder('wrong@example.com')
  for (const [sum, sentence] of [
    ['half', /amount such as 15.50, or a share/],
    ['121.01', /with tax: €121\.00/],
    ['0', /from 0.01 to/],
  ] as const) {
    expect(await preview({ sum })).toMatchObject({ preview: null, problems: { sum: expect.stringMatching(sentence) } })
    expect((await submit({ sum }))?.redirectTo).toMatch(/\/refund\?sum=.*#problems$/)
    expect(await refundsOf(scenario, order.id)).toEqual([])
  }
})

test('a refund form that contains both an amount for the order and amounts for lines is refused', async () => {
  const { order, preview } = await anOrder('both@example.com')
  const page = await preview({ sum: '1.00', [`amount.${order.lines[0].id}`]: '1.00' })
  expect(page).toMatchObject({ preview: null, problems: { sum: expect.stringContaining('not both') } })
})
