import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import type { PaymentProvider } from '../modules/payments/provider.ts'
import type { SubscriptionAction } from '../modules/subscriptions/page.ts'
import { db } from '../platform/db/db.ts'
import { registry } from '../providers/registry.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator } from '../testing/operator.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator('acts@example.com'))
})

afterAll(async () => {
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

async function formOf(scenario: Scenario, action: SubscriptionAction): Promise<URLSearchParams> {
  const found = (await pageOf(scenario)).actions.find((each) => each.action === action)
  if (!found) throw new Error(`${action} is not offered`)
  return form({ intent: action, key: found.formKey, terms: found.terms })
}

const post = async (scenario: Scenario, sent: URLSearchParams) =>
  (await admin.submitSubscription(place(scenario), scenario.id, sent, cookies))?.redirectTo.split('?').at(-1)

describe('a form of an action', () => {
  test.each(['pause', 'unpause'] as const)(
    'two clicks on the button to %s a subscription have one effect and get the same response',
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

  test('the cancellation page states that a deferred amount and a scheduled change are lost', async () => {
    const scenario = await subscriptionScenario()
    const patch = (body: object) => ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
    const stakes = async () => (await pageOf(scenario)).actions.find(({ action }) => action === 'cancel')?.stakes
    const before = await formOf(scenario, 'cancel')
    expect(await stakes()).toMatchObject({ waived: null, dropsChange: false, endsNow: false })
    await patch({ quantity: 2, applyImmediately: true })
    expect(await stakes()).toMatchObject({ waived: { value: '100.00', currency: 'EUR' }, dropsChange: false })
    await patch({ quantity: 3, applyImmediately: false })
    expect(await stakes()).toMatchObject({ dropsChange: true })
    expect(await post(scenario, before)).toBe('changed=cancel#problems')
    expect(await post(scenario, await formOf(scenario, 'cancel'))).toBe('done=cancel')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', scheduledUpdate: null })
  })

  test('the cancellation page of a paused subscription without paid time left states that the subscription ends immediately', async () => {
    const scenario = await subscriptionScenario()
    await post(scenario, await formOf(scenario, 'pause'))
    await pass(scenario, 'P2M')
    const { actions } = await pageOf(scenario)
    expect(actions.find(({ action }) => action === 'cancel')?.stakes).toMatchObject({ endsNow: true, until: null })
    expect(await post(scenario, await formOf(scenario, 'cancel'))).toBe('done=cancelNow')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
  })

  test('a form for an immediate cancellation is refused if an earlier cancellation changed the effect that the page stated', async () => {
    const scenario = await subscriptionScenario()
    const [cancel, cancelNow] = [await formOf(scenario, 'cancel'), await formOf(scenario, 'cancelNow')]
    const { actions } = await pageOf(scenario)
    expect(new Set(actions.map(({ formKey }) => formKey)).size).toBe(actions.length)
    expect(await post(scenario, cancel)).toBe('done=cancel')
    // The first cancellation prevented a charge, so the effect that the page stated for `cancelNow` is outdated.
    expect(await post(scenario, cancelNow)).toBe('changed=cancelNow#problems')
    expect((await subscriptionOf(scenario)).status).toBe('on_grace_period')
    expect(await post(scenario, await formOf(scenario, 'cancelNow'))).toBe('done=cancelNow')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
  })
})

describe('the stated effect of a button', () => {
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

  test('if the price rose after the page was shown, a change is refused, and the page shows the new price', async () => {
    const scenario = await subscriptionScenario(consumer)
    const page = await previewed(scenario)
    expect(page.preview?.now?.total.value).toBe('121.00')
    const price = { value: '300.00', currency: 'EUR' }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', { price, applyImmediately: true })).status).toBe(200)
    const { entries } = await verifyAudit()
    const orders = await ordersOf(scenario)
    const back = query(await submit(scenario, page))
    expect(back.get('done')).toBeNull()
    await drainTasks()
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
    await drainTasks()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ total: { value: '363.00' } })
  })

  test('a change at the renewal is refused if its terms changed after the page was shown', async () => {
    const scenario = await subscriptionScenario()
    const page = await previewed(scenario, { when: 'renewal' })
    const body = { price: { value: '1.00', currency: 'EUR' } }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).status).toBe(200)
    expect(query(await submit(scenario, page)).get('terms')).toBe('changed')
    expect(await subscriptionOf(scenario)).toMatchObject({ scheduledUpdate: { quantity: 1 } })
  })

  test.each([
    ['a plan with the same interval', { interval: 'month' }],
    ['a plan with another interval', { interval: 'year' }],
  ])('a change to %s costs the amount that the page states, even a few minutes later', async (_, plan) => {
    const scenario = await subscriptionScenario(consumer)
    const { id } = await factories.aPlan(scenario.key, { basePrice: factories.price('90000.00'), ...plan })
    await pass(scenario, 'P3D')
    const page = await previewed(scenario, { quantity: '', subscriptionPlanId: id })
    await pass(scenario, 'PT14M')
    expect((await previewed(scenario, { quantity: '', subscriptionPlanId: id })).preview).not.toEqual(page.preview)
    expect(query(await submit(scenario, page)).get('done')).toBe('change')
    await drainTasks()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ status: 'paid', total: page.preview?.now?.total })
    expect((await pageOf(scenario)).nextCharge).toEqual(page.preview?.nextCharge)
  })

  test('a change is refused if the page is older than 15 minutes, because less unused time is left', async () => {
    const scenario = await subscriptionScenario()
    const page = await previewed(scenario)
    const later = await previewed(scenario, { when: 'renewal' })
    await pass(scenario, 'PT16M')
    expect(query(await submit(scenario, page)).get('terms')).toBe('changed')
    // The effect of a change at the renewal does not depend on the time, so the shown effect remains valid.
    expect(query(await submit(scenario, later)).get('done')).toBe('change')
  })

  test('unpausing is refused if the page did not state the charge, and the reloaded page states the charge', async () => {
    const scenario = await subscriptionScenario(consumer)
    await post(scenario, await formOf(scenario, 'pause'))
    const sent = await formOf(scenario, 'unpause')
    await pass(scenario, 'P40D')
    const orders = await ordersOf(scenario)
    expect(await post(scenario, sent)).toBe('changed=unpause#problems')
    await drainTasks()
    expect(await ordersOf(scenario)).toEqual(orders)
    expect((await subscriptionOf(scenario)).status).toBe('paused')
    const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies, { changed: 'unpause' })
    expect(page).toMatchObject({
      problems: { terms: expect.stringContaining('nothing was done') },
      actions: [{ action: 'unpause', isOpen: true, stakes: { now: { value: '121.00' } } }, {}, {}],
    })
    // If the form is sent an hour after the page was shown, the new period begins an hour later. The action is still
    // accepted, because the price is the same.
    const again = await formOf(scenario, 'unpause')
    await pass(scenario, 'PT1H')
    expect(await post(scenario, again)).toBe('done=unpause')
    await drainTasks()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ total: { value: '121.00' } })
  })

  test.each(['cancel', 'cancelNow', 'pause', 'resume'] as const)(
    'the action %s on a subscription is refused if the stated effect has changed',
    async (action) => {
      const scenario = await subscriptionScenario()
      if (action === 'resume') await post(scenario, await formOf(scenario, 'cancel'))
      const sent = await formOf(scenario, action)
      const body = { price: { value: '150.00', currency: 'EUR' }, applyImmediately: true, prorate: false }
      expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).status).toBe(200)
      const { status } = await subscriptionOf(scenario)
      expect(await post(scenario, sent)).toBe(`changed=${action}#problems`)
      expect((await subscriptionOf(scenario)).status).toBe(status)
    },
  )

  test.each(['pause', 'cancel'])(
    'the action %s on a subscription is refused if the form does not contain the stated effect',
    async (intent) => {
      const scenario = await subscriptionScenario()
      expect(await post(scenario, form({ intent, key: crypto.randomUUID() }))).toBe(`changed=${intent}#problems`)
      expect((await subscriptionOf(scenario)).status).toBe('active')
    },
  )
})

test('the page of a subscription states whether the storefront is suspended or on hold', async () => {
  const scenario = await subscriptionScenario()
  const waits = async () => {
    const changing = await admin.subscriptionChangePage(place(scenario), scenario.id, form({}), cookies)
    return [(await pageOf(scenario)).renewalsWait, changing?.renewalsWait]
  }
  const change = (data: object) => db().storefronts.update({ where: { id: scenario.shop.storefrontId }, data })
  expect(await waits()).toEqual([null, null])
  await change({ suspended_at: new Date(), suspended_reason: 'Fraud' })
  expect(await waits()).toEqual(['suspended', 'suspended'])
  await change({ suspended_at: null, suspended_reason: null, held_at: new Date() })
  expect(await waits()).toEqual(['onHold', 'onHold'])
  await change({ held_at: null })
})

test('a refused change of a subscription shows the reason next to each field', async () => {
  const scenario = await subscriptionScenario()
  const { id: archived } = await factories.aPlan(scenario.key)
  await send(`POST /v1/subscription-plans/${archived}/archive`, { key: scenario.key })
  const { id: yearly } = await factories.aPlan(scenario.key, { interval: 'year', basePrice: factories.price('1.00') })
  const nothing = { subscriptionPlanId: '', quantity: '', 'price.value': '', when: 'now' }
  const problems = async (typed: object) =>
    (await admin.subscriptionChangePage(place(scenario), scenario.id, form({ ...nothing, ...typed }), cookies))
      ?.problems
  expect(await problems({})).toEqual({ subscriptionPlanId: { code: 'nothingTyped' } })
  expect(await problems({ subscriptionPlanId: archived })).toEqual({ subscriptionPlanId: { code: 'planGone' } })
  expect(await problems({ subscriptionPlanId: yearly })).toEqual({ when: { code: 'creditExceedsCharge' } })
  const { id: dearer } = await factories.aPlan(scenario.key, { interval: 'year', basePrice: factories.price('100.10') })
  const provider = { ...registry.ofNewPayments.test, leastCharge: () => 50n } as PaymentProvider
  vi.spyOn(registry, 'providers', 'get').mockReturnValue([provider])
  expect(await problems({ subscriptionPlanId: dearer })).toEqual({
    when: { code: 'tooLittle', least: { value: '0.50', currency: 'EUR' } },
  })
  vi.restoreAllMocks()
  expect(await problems({ quantity: '0' })).toEqual({ quantity: expect.stringContaining('1') })
  await post(scenario, await formOf(scenario, 'pause'))
  expect(await problems({ quantity: '2' })).toEqual({ when: { code: 'paused' } })
  await post(scenario, await formOf(scenario, 'cancel'))
  expect(await problems({ quantity: '2', when: 'renewal' })).toEqual({ when: { code: 'canceled' } })
})

test('a scheduled change of plan is canceled if the operator schedules a change to the current plan', async () => {
  const scenario = await subscriptionScenario()
  const { id } = await factories.aPlan(scenario.key, { interval: 'year' })
  const body = { subscriptionPlanId: id }
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).body.scheduledUpdate).toMatchObject(body)
  const typed = { subscriptionPlanId: scenario.planId, quantity: '', 'price.value': '', when: 'renewal' }
  const page = await admin.subscriptionChangePage(place(scenario), scenario.id, form(typed), cookies)
  expect(page?.plans).toMatchObject([{ id, interval: 'year', intervalCount: 1 }])
  const sent = form({ ...typed, key: page?.formKey ?? '', terms: page?.terms ?? '' })
  const next = await admin.submitSubscriptionChange(place(scenario), scenario.id, sent, cookies)
  expect(next?.redirectTo).toMatch(/\?done=change$/)
  expect(await subscriptionOf(scenario)).toMatchObject({ scheduledUpdate: null })
})

test('the audit entry of a scheduled change contains the terms but no names of customers', async () => {
  const scenario = await subscriptionScenario()
  const typed = { subscriptionPlanId: '', quantity: '4', 'price.value': '80.00', when: 'renewal' }
  const page = await admin.subscriptionChangePage(place(scenario), scenario.id, form(typed), cookies)
  const sent = form({ ...typed, key: page?.formKey ?? '', terms: page?.terms ?? '' })
  await admin.submitSubscriptionChange(place(scenario), scenario.id, sent, cookies)
  const [entry] = await auditLog(null, 1)
  const terms = { subscriptionPlanId: scenario.planId, interval: 'month', intervalCount: 1 }
  expect(entry).toMatchObject({ action: 'subscription.change', subject: scenario.id })
  expect(entry?.after).toEqual({
    ...terms,
    quantity: 1,
    basePrice: { value: '100.00', currency: 'EUR' },
    charged: null,
    addedToRenewal: null,
    scheduledUpdate: { ...terms, quantity: 4, basePrice: { value: '80.00', currency: 'EUR' } },
  })
})
