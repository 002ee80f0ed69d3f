import { afterAll, describe, expect, test } from 'vitest'
import { POST as submit } from '../../../app/(hosted)/portal/(session)/details/submit/route.ts'
import { db } from '../../platform/db/db.ts'
import { aCheckout, pay } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { portalCookies as signIn, portalVisitor as visitor } from '../../testing/portal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  clockTo,
  drainTasks,
  get,
  ordersOf,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { detailsPage, loadDetails } from './load-details.ts'
import { overview } from './load-portal.ts'
import { submitDetails } from './submit-details.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const typed = {
  fullName: 'Grace',
  companyName: 'Engines AG',
  taxId: 'DE2',
  streetAndNumber: 'Weg 1',
  streetAdditional: '',
  postalCode: '53111',
  city: 'Bonn',
  region: '',
  country: 'DE',
}
const form = (different: Record<string, string> = {}) => new URLSearchParams({ ...typed, ...different })
const stored = { ...typed, streetAdditional: null, region: null }

async function subscribeAgain({ key, planId, customerId }: Scenario, buyer: Record<string, string>): Promise<string> {
  await pay(key, await aCheckout(key, planId, { customerId }), buyer)
  await drainTasks()
  const { data } = await get(key, `/v1/customers/${customerId}/subscriptions?limit=1`)
  return data[0].id
}

const detailsOf = async ({ key }: Scenario, id: string) => (await get(key, `/v1/subscriptions/${id}`)).billingAddress
const updates = async ({ shop }: Scenario) =>
  (await eventsOf(shop)).filter((name) => name === 'subscription.billing_updated').length

describe('the billing details in the portal', () => {
  test('billing details apply to all ongoing subscriptions and their next invoices', async () => {
    const scenario = await subscriptionScenario()
    const dutch = await subscribeAgain(scenario, { country: 'NL' })
    const over = await subscribeAgain(scenario, { country: 'FR' })
    await ask({ ...scenario, id: over }, 'DELETE /v1/subscriptions/{id}?immediately=true')
    const before = await detailsOf(scenario, over)
    const cookies = await signIn(scenario)
    expect(await detailsPage(null, visitor(cookies))).toMatchObject({
      form: { fullName: 'Ada', country: 'NL', taxId: '' },
      problems: {},
      differ: true,
    })
    for (let times = 0; times < 2; times++)
      expect(await submitDetails(form(), cookies)).toEqual({ redirectTo: '/portal/details?done=updated' })
    await drainTasks()
    for (const id of [scenario.id, dutch]) expect(await detailsOf(scenario, id)).toMatchObject(stored)
    expect(await detailsOf(scenario, over)).toEqual(before)
    expect(await updates(scenario)).toBe(2)
    const emails = await db().emails.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    expect(emails.filter(({ kind }) => kind === 'billing_updated')).toHaveLength(1)
    expect(await detailsPage(null, visitor(cookies))).toMatchObject({ form: typed, differ: false })

    const sold = await ordersOf(scenario)
    for (const order of sold) expect(order.customerDetails.companyName).toBeNull()
    await clockTo(scenario.key, '2027-02-02T00:00:00Z')
    const renewals = (await ordersOf(scenario)).slice(sold.length)
    expect(renewals).toHaveLength(2)
    // Both renewals have a reverse charge because of the valid tax ID of another country, although one subscription had tax before.
    for (const { customerDetails, total, subtotal } of renewals) {
      expect(customerDetails).toMatchObject({ companyName: 'Engines AG', taxId: 'DE2', city: 'Bonn' })
      expect(total).toEqual(subtotal)
    }
  })

  test('a refused form of billing details keeps the entered values and names each problem', async () => {
    const scenario = await subscriptionScenario()
    const cookies = await signIn(scenario)
    const next = await submitDetails(form({ fullName: '', country: 'ZZ', city: 'x'.repeat(300) }), cookies)
    expect(next?.redirectTo).toMatch(/^\/portal\/details\?form=\w+#problems$/)
    const id = new URL(next?.redirectTo ?? '', 'https://x.example').searchParams.get('form')
    const page = await detailsPage(id, visitor(`${cookies}; ${next?.cookie?.split(';')[0]}`))
    expect(page?.problems).toMatchObject({ fullName: { code: 'required' }, country: { code: 'unknown' } })
    expect(page?.problems.city?.code).toBe('too_long')
    expect(page?.form).toMatchObject({ fullName: '', companyName: 'Engines AG' })
    expect(await updates(scenario)).toBe(0)
    const other = await signIn(await subscriptionScenario())
    expect((await detailsPage(id, visitor(`${other}; ${next?.cookie?.split(';')[0]}`)))?.problems).toEqual({})
  })

  test('the form of billing details shows whether the tax ID is confirmed, and whether it leads to a reverse charge', async () => {
    const scenario = await subscriptionScenario()
    const cookies = await signIn(scenario)
    const effect = async () => (await detailsPage(null, visitor(cookies)))?.quote.taxId
    expect(await effect()).toBe('reverse_charge')
    for (const [taxId, country, expected] of [
      ['XX1', 'DE', 'not_confirmed'],
      ['', 'DE', 'none'],
      ['NL1', 'NL', 'domestic'],
    ] as const) {
      await submitDetails(form({ taxId, country, postalCode: '' }), cookies)
      expect(await effect(), taxId).toBe(expected)
    }
  })

  test('the page of billing details is not found without a session or without an ongoing subscription', async () => {
    const scenario = await subscriptionScenario()
    const cookies = await signIn(scenario)
    expect((await overview(visitor(cookies)))?.detailsUrl).toBe('/portal/details')
    expect((await loadDetails(visitor(null), new URLSearchParams())).status).toBe(404)
    expect(await submitDetails(form(), null)).toBeNull()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect((await loadDetails(visitor(cookies), new URLSearchParams())).status).toBe(404)
    expect((await overview(visitor(cookies)))?.detailsUrl).toBeNull()
    expect(await submitDetails(form(), cookies)).toEqual({ redirectTo: '/portal' })
    expect((await detailsOf(scenario, scenario.id)).companyName).toBeNull()
  })

  test('the portal form of billing details is refused from another site, and changes only the details of the signed-in customer', async () => {
    const [mine, other] = [await subscriptionScenario(), await subscriptionScenario()]
    const cookies = await signIn(mine)
    const posted = (headers: Record<string, string>) =>
      new Request('http://localhost/portal', { method: 'POST', body: form(), headers: { cookie: cookies, ...headers } })
    const none = { params: Promise.resolve({}) }
    expect((await submit(posted({ origin: 'https://evil.example' }), none)).status).toBe(403)
    expect(await updates(mine)).toBe(0)
    const own = await submit(posted({ origin: 'null', 'sec-fetch-site': 'same-origin' }), none)
    expect(own.headers.get('location')).toBe('/portal/details?done=updated')
    expect([await updates(mine), await updates(other)]).toEqual([1, 0])
  })

  test('sending the form of billing details twice at the same time changes the details once', async () => {
    const scenario = await subscriptionScenario()
    const cookies = await signIn(scenario)
    const ends = await raceBehind(
      lockOn('subscriptions', scenario.id),
      [1, 2].map(() => () => submitDetails(form(), cookies)),
    )
    expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await updates(scenario)).toBe(1)
  })
})
