import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import type { SubscriptionAction } from '../../modules/subscriptions/page.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { anOperator } from '../../testing/operator.ts'
import {
  ask,
  ordersOf,
  pass,
  type Scenario,
  settle,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import * as admin from './hosted.ts'

/** What a page of a subscription says, and what its buttons then do. */

let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator('acts@example.com'))
})
afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const place = ({ shop }: Pick<Scenario, 'shop'>) => ({ mode: 'test', storefrontId: shop.storefrontId })
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const newestEntries = async (count: number) => (await auditLog(null, count)).map(({ action }) => action)

const pageOf = async (scenario: Scenario) => {
  const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies)
  if (!page) throw new Error('there is no such page')
  return page
}

/** The form of an action, as the page has it. */
async function formOf(scenario: Scenario, action: SubscriptionAction): Promise<URLSearchParams> {
  const found = (await pageOf(scenario)).actions.find((each) => each.action === action)
  if (!found) throw new Error(`${action} is not offered`)
  return form({ intent: action, key: found.formKey, terms: found.terms })
}

const post = async (scenario: Scenario, sent: URLSearchParams) =>
  (await admin.submitSubscription(place(scenario), scenario.id, sent, cookies))?.redirectTo.split('?').at(-1)

describe('a form of an action', () => {
  test.each(['pause', 'unpause'] as const)(
    'to %s takes effect once, and both clicks have one answer',
    async (action) => {
      const scenario = await subscriptionScenario()
      if (action === 'unpause') await post(scenario, await formOf(scenario, 'pause'))
      const sent = await formOf(scenario, action)
      const { entries } = await verifyAudit()
      expect(await Promise.all([post(scenario, sent), post(scenario, sent)])).toEqual([
        `done=${action}`,
        `done=${action}`,
      ])
      expect(await post(scenario, sent)).toBe(`done=${action}`)
      expect((await verifyAudit()).entries).toBe(entries + 1)
      expect(await newestEntries(1)).toEqual([`subscription.${action}`])
    },
  )

  test('that was done does not answer for another one of the same page', async () => {
    const scenario = await subscriptionScenario()
    const [cancel, cancelNow] = [await formOf(scenario, 'cancel'), await formOf(scenario, 'cancelNow')]
    const { actions } = await pageOf(scenario)
    expect(new Set(actions.map(({ formKey }) => formKey)).size).toBe(actions.length)
    expect(await post(scenario, cancel)).toBe('done=cancel')
    // It no longer comes to the same: a charge was stopped by the first one.
    expect(await post(scenario, cancelNow)).toBe('changed=cancelNow#problems')
    expect((await subscriptionOf(scenario)).status).toBe('on_grace_period')
    expect(await post(scenario, await formOf(scenario, 'cancelNow'))).toBe('done=cancelNow')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
  })
})

describe('a button does what its page says', () => {
  const consumer = { buyer: { country: 'NL', taxId: '' } }
  const query = (next: { redirectTo: string } | null) =>
    new URL(next?.redirectTo ?? '', 'http://localhost').searchParams
  const typed = {
    subscriptionPlanId: '',
    quantity: '2',
    'price.value': '',
    when: 'now',
    prorate: 'yes',
    invoice: 'now',
  }

  const previewed = async (scenario: Scenario, more: object = {}) => {
    const page = await admin.subscriptionChangePage(place(scenario), scenario.id, form({ ...typed, ...more }), cookies)
    if (!page) throw new Error('there is no such page')
    return page
  }
  type ChangePage = Awaited<ReturnType<typeof previewed>>
  const submit = (scenario: Scenario, { values, formKey, terms }: ChangePage) =>
    admin.submitSubscriptionChange(place(scenario), scenario.id, form({ ...values, key: formKey, terms }), cookies)

  test('a change that would cost something else by now is not made, and leads back to what it costs', async () => {
    const scenario = await subscriptionScenario(consumer)
    const page = await previewed(scenario)
    expect(page.preview?.now?.total.value).toBe('121.00')
    const price = { value: '300.00', currency: 'EUR' }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', { price, applyImmediately: true })).status).toBe(200)
    const { entries } = await verifyAudit()
    const orders = await ordersOf(scenario)
    const back = query(await submit(scenario, page))
    expect(back.get('done')).toBeNull()
    await settle()
    expect(await ordersOf(scenario)).toEqual(orders)
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 1 })
    expect((await verifyAudit()).entries).toBe(entries)
    const again = await admin.subscriptionChangePage(place(scenario), scenario.id, back, cookies)
    expect(again).toMatchObject({
      problems: { terms: expect.stringContaining('nothing was done') },
      preview: { now: { total: { value: '363.00' } } },
      values: { quantity: '2' },
    })
    expect(query(await submit(scenario, again as ChangePage)).get('done')).toBe('change')
    await settle()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ total: { value: '363.00' } })
  })

  test('a change at the renewal is not made on other terms than its page said', async () => {
    const scenario = await subscriptionScenario()
    const page = await previewed(scenario, { when: 'renewal' })
    const body = { price: { value: '1.00', currency: 'EUR' } }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).status).toBe(200)
    expect(query(await submit(scenario, page)).get('terms')).toBe('changed')
    expect(await subscriptionOf(scenario)).toMatchObject({ scheduledUpdate: { quantity: 1 } })
  })

  test.each([
    ['a month', { interval: 'month' }],
    ['a new period', { interval: 'year' }],
  ])('a change into %s costs what its page said, a few minutes later too', async (_, plan) => {
    const scenario = await subscriptionScenario(consumer)
    const { id } = await factories.aPlan(scenario.key, { basePrice: factories.price('90000.00'), ...plan })
    await pass(scenario, 'P3D')
    const page = await previewed(scenario, { quantity: '', subscriptionPlanId: id })
    await pass(scenario, 'PT14M')
    expect((await previewed(scenario, { quantity: '', subscriptionPlanId: id })).preview).not.toEqual(page.preview)
    expect(query(await submit(scenario, page)).get('done')).toBe('change')
    await settle()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ status: 'paid', total: page.preview?.now?.total })
    expect((await pageOf(scenario)).nextCharge).toEqual(page.preview?.nextCharge)
  })

  test('a change of which the unused time has shrunk for more than a quarter of an hour leads back', async () => {
    const scenario = await subscriptionScenario()
    const page = await previewed(scenario)
    const later = await previewed(scenario, { when: 'renewal' })
    await pass(scenario, 'PT16M')
    expect(query(await submit(scenario, page)).get('terms')).toBe('changed')
    // What does not depend on the moment can be read for as long as one likes.
    expect(query(await submit(scenario, later)).get('done')).toBe('change')
  })

  test('the end of a pause that would charge by now is not made, and its page then says what it charges', async () => {
    const scenario = await subscriptionScenario(consumer)
    await post(scenario, await formOf(scenario, 'pause'))
    const sent = await formOf(scenario, 'unpause')
    await pass(scenario, 'P40D')
    const orders = await ordersOf(scenario)
    expect(await post(scenario, sent)).toBe('changed=unpause#problems')
    await settle()
    expect(await ordersOf(scenario)).toEqual(orders)
    expect((await subscriptionOf(scenario)).status).toBe('paused')
    const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies, 'unpause')
    expect(page).toMatchObject({
      problems: { terms: expect.stringContaining('nothing was done') },
      actions: [{ action: 'unpause', isOpen: true, stakes: { now: { value: '121.00' } } }, {}, {}],
    })
    // The period that begins with it begins later, which is no other price.
    const again = await formOf(scenario, 'unpause')
    await pass(scenario, 'PT1H')
    expect(await post(scenario, again)).toBe('done=unpause')
    await settle()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ total: { value: '121.00' } })
  })

  test.each(['cancel', 'cancelNow', 'pause', 'resume'] as const)('%s is not done on other terms', async (action) => {
    const scenario = await subscriptionScenario()
    if (action === 'resume') await post(scenario, await formOf(scenario, 'cancel'))
    const sent = await formOf(scenario, action)
    const body = { price: { value: '150.00', currency: 'EUR' }, applyImmediately: true, prorate: false }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).status).toBe(200)
    const { status } = await subscriptionOf(scenario)
    expect(await post(scenario, sent)).toBe(`changed=${action}#problems`)
    expect((await subscriptionOf(scenario)).status).toBe(status)
  })

  test.each(['pause', 'cancel'])('%s without what its page said is not done', async (intent) => {
    const scenario = await subscriptionScenario()
    expect(await post(scenario, form({ intent, key: crypto.randomUUID() }))).toBe(`changed=${intent}#problems`)
    expect((await subscriptionOf(scenario)).status).toBe('active')
  })
})
