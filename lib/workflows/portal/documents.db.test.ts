import { unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { GET as zip } from '../../../app/(hosted)/portal/(session)/invoices/zip/route.ts'
import { db } from '../../platform/db/db.ts'
import { aCheckout, aPlan, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { portalCookies as signIn, portalVisitor as visitor } from '../../testing/portal.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { documentsPage, overview, subscriptionPage } from './load-portal.ts'
import { submitDocument } from './submit-portal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const query = (of: Record<string, string> = {}) => new URLSearchParams(of)
async function subscribeAgain({ key, customerId }: Scenario): Promise<string> {
  const { id } = await aPlan(key, { name: 'Other', interval: 'year' })
  await pay(key, await aCheckout(key, id, { customerId }), { country: 'DE', taxId: 'DE1' })
  await drainTasks()
  const { data } = await get(key, `/v1/customers/${customerId}/subscriptions`)
  return data[0].id
}

const numbers = (page: { documents: { number: string }[] } | null) => page?.documents.map(({ number }) => number)

test.each([
  ['exclusive', 'DE', { unit: '10.00', unitHasTax: false, total: '35.70', hasTax: true }],
  ['inclusive', 'DE', { unit: '10.00', unitHasTax: true, total: '30.00', hasTax: true }],
  ['exclusive', 'US', { unit: '10.00', unitHasTax: false, total: '36.00', hasTax: true }],
] as const)(
  'for tax-%s prices and a buyer in %s, the page of a subscription shows whether the price includes tax',
  async (taxBehavior, country, shown) => {
    const plan = { basePrice: price('10.00'), taxBehavior }
    const scenario = await subscriptionScenario({ plan, item: { quantity: 3 }, buyer: { country, taxId: '' } })
    const page = await subscriptionPage(scenario.id, visitor(await signIn(scenario)))
    const eur = (value: string) => ({ value, currency: 'EUR' })
    expect(page?.subscription).toMatchObject({
      price: { ...shown, unit: eur(shown.unit), total: eur(shown.total) },
      every: { interval: 'month', intervalCount: 1 },
      quantity: 3,
      startedAt: expect.stringMatching(/^2027-01-01T/),
    })
  },
)

test('the page of a subscription lists its invoices, and offers a ZIP file if it has several invoices', async () => {
  const scenario = await subscriptionScenario()
  const other = await subscribeAgain(scenario)
  const cookies = await signIn(scenario)
  const shown = (id: string) => subscriptionPage(id, visitor(cookies))
  expect(await shown(scenario.id)).toMatchObject({ documents: [{ isCorrectable: true }], zipUrl: null })
  expect(numbers(await shown(scenario.id))).toEqual(['TEST-INV-2027-000001'])
  expect(numbers(await shown(other))).toEqual(['TEST-INV-2027-000002'])
  expect(await overview(visitor(cookies))).toMatchObject({ zipUrl: '/portal/invoices/zip' })

  await pass(scenario, 'P5M')
  const renewed = await signIn(scenario)
  const page = await subscriptionPage(scenario.id, visitor(renewed))
  const own = [7, 6, 5, 4, 3, 1].map((n) => `TEST-INV-2027-00000${n}`)
  expect(numbers(page)).toEqual(own.slice(0, 5))
  expect(page?.documentsUrl).toBe(`/portal/invoices?subscription=${scenario.id}`)
  const list = await documentsPage(query({ subscription: scenario.id }), visitor(renewed))
  expect(numbers(list)).toEqual(own)
  expect(list?.subscription).toEqual({ name: 'Pro', url: `/portal/subscriptions/${scenario.id}` })
  const file = await zip(new Request(`http://localhost${page?.zipUrl}`, { headers: { cookie: renewed } }))
  expect(Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer()))).sort()).toEqual(
    own.map((number) => `${number}.pdf`).sort(),
  )
})

test('the document list of another customer’s subscription is not found', async () => {
  const [mine, other] = [await subscriptionScenario(), await subscriptionScenario()]
  const cookies = await signIn(mine)
  for (const subscription of [other.id, '\u0000', 'x'])
    expect(await documentsPage(query({ subscription }), visitor(cookies))).toBeNull()
  const url = `http://localhost/portal/invoices/zip?subscription=${other.id}`
  const file = await zip(new Request(url, { headers: { cookie: cookies } }))
  expect([file.status, file.headers.get('location')]).toEqual([303, '/portal'])
})

test('a button next to an invoice opens the page for its correction', async () => {
  const [mine, other] = [await subscriptionScenario(), await subscriptionScenario()]
  const cookies = await signIn(mine)
  const [order] = await ordersOf(mine)
  const [foreign] = await ordersOf(other)
  const next = await submitDocument(query({ order: order.id }), cookies)
  expect(next?.redirectTo).toMatch(/\/invoice-update\/[\w-]{44}$/)
  expect(await db().invoice_update_links.findMany({ where: { order_id: order.id } })).toHaveLength(1)
  for (const id of [foreign.id, '', '\u0000', ...prototypeNames])
    expect(await submitDocument(query({ order: id }), cookies), id).toEqual({ redirectTo: '/portal' })
  expect(await db().invoice_update_links.findMany({ where: { order_id: foreign.id } })).toEqual([])
  expect(await submitDocument(query({ order: order.id }), null)).toBeNull()
})
