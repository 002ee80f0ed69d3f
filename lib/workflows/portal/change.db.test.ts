import { afterAll, describe, expect, test } from 'vitest'
import { POST as submit } from '../../../app/(hosted)/portal/(session)/subscriptions/[id]/change/submit/route.ts'
import { approveReview } from '../../modules/catalog/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { portalVisitor as visitor } from '../../testing/portal.ts'
import { changeable, changeForm, confirmChange, shownChange } from '../../testing/portal-change.ts'
import { failNextRenewal } from '../../testing/scenarios.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  clockTo,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
} from '../../testing/subscription-scenario.ts'
import { setPortalChangesTyped } from '../storefronts/operations.ts'
import { loadChange } from './load-change.ts'
import { subscriptionPage } from './load-portal.ts'
import { submitChange } from './submit-change.ts'
import { submitSubscription } from './submit-portal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const query = (of: Record<string, string>) => new URLSearchParams(of)

const lastOrder = async (scenario: Scenario) => (await ordersOf(scenario)).at(-1)

describe('a customer’s change to a larger amount', () => {
  test.each(['quantity', 'plan'] as const)(
    'a change of the %s that makes a subscription more expensive is charged immediately, with the amount that the page states',
    async (changed) => {
      const given = await changeable()
      const { scenario, dearer } = given
      const page = await shownChange(given, changed === 'plan' ? { plan: dearer.id } : { quantity: '5' })
      expect(page).toMatchObject({ problem: null, block: null, preview: { direction: 'increase' } })
      const { dueNow, nextRenewal } = page.preview ?? {}
      await pass(scenario, 'PT30M')
      expect((await confirmChange(given, page))?.redirectTo).toBe(`/portal/subscriptions/${scenario.id}?done=changed`)
      await drainTasks()
      expect(await lastOrder(scenario)).toMatchObject({
        status: 'paid',
        total: dueNow?.total,
        subtotal: dueNow?.subtotal,
      })
      expect(await subscriptionOf(scenario)).toMatchObject(
        changed === 'plan' ? { subscriptionPlanId: dearer.id, quantity: 3 } : { quantity: 5 },
      )
      const after = await subscriptionPage(scenario.id, visitor(given.cookies))
      expect(after?.subscription.nextCharge).toEqual(nextRenewal)
    },
  )

  test('a change that makes a subscription more expensive is charged with the tax that the page states', async () => {
    const given = await changeable({ buyer: { taxId: '' } })
    const page = await shownChange(given, { quantity: '4' })
    expect(page.country).toBe('DE')
    expect(page.preview?.dueNow?.taxes).toMatchObject([{ name: 'VAT', percentage: 19 }])
    expect(page.preview?.dueNow?.lines).toHaveLength(2)
    await confirmChange(given, page)
    await drainTasks()
    expect((await lastOrder(given.scenario)).total).toEqual(page.preview?.dueNow?.total)
  })

  test('a change that makes a subscription more expensive costs nothing during a trial', async () => {
    const given = await changeable({ item: { quantity: 3, trialDays: 30 } })
    const page = await shownChange(given, { quantity: '4' })
    expect(page.preview).toMatchObject({ direction: 'increase', dueNow: null })
    await confirmChange(given, page)
    expect(await subscriptionOf(given.scenario)).toMatchObject({ status: 'trial', quantity: 4 })
  })

  test('the preview of a change describes the lines in the language of the portal', async () => {
    const given = await changeable()
    await db().customers.update({ where: { id: given.scenario.customerId }, data: { locale: 'de' } })
    const page = await shownChange(given, { quantity: '4' })
    expect(page.preview?.dueNow?.lines[0]?.description).toMatch(/3 × Pro/)
    expect(page.preview?.dueNow?.lines[0]?.description).not.toMatch(/Unused/)
  })
})

describe('a customer’s change to a smaller amount', () => {
  test('a change that makes a subscription cheaper is scheduled for the next renewal and can be undone', async () => {
    const given = await changeable()
    const { scenario, cookies } = given
    const page = await shownChange(given, { quantity: '1' })
    expect(page.preview).toMatchObject({
      direction: 'decrease',
      dueNow: null,
      nextRenewal: { total: price('100.00'), at: expect.stringMatching(/^2027-02-01T/) },
    })
    expect((await confirmChange(given, page))?.redirectTo).toMatch(/\?done=scheduled$/)
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 3, scheduledUpdate: { quantity: 1 } })
    expect(await ordersOf(scenario)).toHaveLength(1)
    expect((await shownChange(given, { quantity: '2' })).block).toBe('scheduled')

    const after = await subscriptionPage(scenario.id, visitor(cookies))
    expect(after?.subscription.scheduled).toMatchObject({ quantity: 1 })
    const undo = query({ intent: 'undo', scheduled: after?.undo?.scheduled ?? '', key: after?.undo?.formKey ?? '' })
    for (let times = 0; times < 2; times++)
      expect((await submitSubscription(scenario.id, undo, cookies))?.redirectTo).toMatch(/\?done=undone$/)
    expect((await subscriptionOf(scenario)).scheduledUpdate).toBeNull()
    expect((await subscriptionPage(scenario.id, visitor(cookies)))?.undo).toBeNull()
    const scheduled = (await eventsOf(scenario.shop)).filter((name) => name === 'subscription.update_scheduled')
    expect(scheduled).toHaveLength(2)
  })

  test('a scheduled change takes effect at the renewal, and a later form to undo the change has no effect', async () => {
    const given = await changeable()
    const { scenario, cookies, yearly } = given
    await confirmChange(given, await shownChange(given, { plan: yearly.id, quantity: '2' }))
    const { undo } = (await subscriptionPage(scenario.id, visitor(cookies))) ?? {}
    const late = query({ intent: 'undo', scheduled: undo?.scheduled ?? '', key: undo?.formKey ?? '' })
    await clockTo(scenario.key, '2027-02-02T00:00:00Z')
    const renewed = await subscriptionOf(scenario)
    expect(renewed).toMatchObject({ subscriptionPlanId: yearly.id, quantity: 2, scheduledUpdate: null })
    expect((await submitSubscription(scenario.id, late, cookies))?.redirectTo).toMatch(/\?done=unchanged$/)
    expect(await subscriptionOf(scenario)).toEqual(renewed)
  })

  test('the customer cannot undo a merchant’s scheduled change if the current plan is not selectable', async () => {
    const { scenario, cookies, dearer, yearly } = await changeable()
    await setPortalChangesTyped(scenario.shop.storefrontId, { planIds: [dearer.id, yearly.id] })
    await send(`PATCH /v1/subscriptions/${scenario.id}`, {
      key: scenario.key,
      body: { subscriptionPlanId: dearer.id, applyImmediately: false },
    })
    const page = await subscriptionPage(scenario.id, visitor(cookies))
    expect([page?.undo, page?.change?.of]).toEqual([null, 'quantity'])
    const forged = query({ intent: 'undo', scheduled: 'x', key: crypto.randomUUID() })
    expect((await submitSubscription(scenario.id, forged, cookies))?.redirectTo).toMatch(/\?done=unchanged$/)
    expect((await subscriptionOf(scenario)).scheduledUpdate).not.toBeNull()
  })
})

describe('a change that the storefront does not allow', () => {
  test('the portal has no page for a subscription change that the storefront does not permit, and ignores the form of such a change', async () => {
    const given = await changeable()
    const { scenario, cookies, dearer } = given
    const confirmed = changeForm(await shownChange(given, { quantity: '5' }))
    const other = changeForm(await shownChange(given, { plan: dearer.id }))
    const set = (quantity: boolean, planIds: string[]) =>
      setPortalChangesTyped(scenario.shop.storefrontId, { quantity, planIds })
    const status = async (of: Record<string, string>) =>
      (await loadChange(scenario.id, visitor(cookies), query(of))).status
    const plans = [scenario.planId, dearer.id]
    await set(false, plans)
    expect([await status({ quantity: '5' }), await status({ quantity: 'x' }), await status({})]).toEqual([
      404, 404, 200,
    ])
    await submitChange(scenario.id, confirmed, cookies)
    await set(true, [dearer.id])
    expect([await status({ plan: dearer.id }), await status({ quantity: '5' })]).toEqual([404, 200])
    await submitChange(scenario.id, other, cookies)
    await set(false, [])
    expect([await status({}), await status({ quantity: '5' })]).toEqual([404, 404])
    expect((await subscriptionPage(scenario.id, visitor(cookies)))?.change).toBeNull()
    for (const form of [confirmed, other]) await submitChange(scenario.id, form, cookies)
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 3, subscriptionPlanId: scenario.planId })
    expect(await ordersOf(scenario)).toHaveLength(1)
  })

  test('the change page responds 404 to another customer, to a visitor without a session, and after the subscription ends', async () => {
    const [mine, other] = [await changeable(), await changeable()]
    expect((await loadChange(other.scenario.id, visitor(mine.cookies), query({}))).status).toBe(404)
    expect((await loadChange(mine.scenario.id, visitor(null), query({}))).status).toBe(404)
    const page = await shownChange(other, { quantity: '5' })
    expect(await submitChange(other.scenario.id, changeForm(page), mine.cookies)).toEqual({ redirectTo: '/portal' })
    expect(await submitChange(other.scenario.id, changeForm(page), null)).toBeNull()
    expect((await subscriptionOf(other.scenario)).quantity).toBe(3)
    await send(`DELETE /v1/subscriptions/${mine.scenario.id}?immediately=true`, { key: mine.scenario.key })
    expect((await loadChange(mine.scenario.id, visitor(mine.cookies), query({}))).status).toBe(404)
  })
})

describe('a refused change', () => {
  test('the portal page of a refused subscription change states the reason', async () => {
    const given = await changeable()
    const { scenario, dearer, cookies } = given
    const other = await aPlan(scenario.key, { name: 'Gross', taxBehavior: 'inclusive' })
    await setPortalChangesTyped(scenario.shop.storefrontId, { planIds: [scenario.planId, dearer.id, other.id] })
    const problem = async (of: Record<string, string>) => (await shownChange(given, of)).problem
    expect((await shownChange(given, {})).plans.map(({ name }) => name)).toEqual(['Pro', 'Team'])
    expect(await problem({})).toBeNull()
    expect(await problem({ quantity: '3' })).toBe('same')
    for (const quantity of ['0', '-1', '1.5', 'x', '', '1000000', '٣'])
      expect(await problem({ quantity }), quantity).toBe('quantity')
    expect(await problem({ plan: dearer.id, quantity: '999999' })).toBe('amount')
    expect(await problem({ plan: other.id })).toBe('planGone')
    await send(`POST /v1/subscription-plans/${dearer.id}/archive`, { key: scenario.key })
    expect(await problem({ plan: dearer.id })).toBe('planGone')
    expect((await shownChange(given, {})).plans).toEqual([])
    const where = { id: scenario.id }
    const { mandate_id } = await db().subscriptions.findUniqueOrThrow({ where })
    await db().subscriptions.update({ where, data: { mandate_id: null } })
    expect([await problem({ quantity: '4' }), await problem({ quantity: '2' })]).toEqual(['noMethod', null])
    await db().subscriptions.update({ where, data: { mandate_id } })
    expect(await submitChange(scenario.id, query({ quantity: '4' }), cookies)).toMatchObject({
      redirectTo: expect.stringContaining('/change?'),
    })
  })

  test('a customer’s subscription change is refused if the credit for unused time exceeds the charge', async () => {
    const given = await changeable({ plan: { interval: 'year', basePrice: price('1200.00') }, item: { quantity: 1 } })
    const monthly = await aPlan(given.scenario.key, { name: 'Monthly', basePrice: price('110.00') })
    const planIds = [given.scenario.planId, monthly.id]
    await setPortalChangesTyped(given.scenario.shop.storefrontId, { planIds })
    expect(await shownChange(given, { plan: monthly.id })).toMatchObject({ problem: 'credit', preview: null })
  })

  test.each([
    ['grace', async ({ key, id }: Scenario) => send(`DELETE /v1/subscriptions/${id}`, { key })],
    ['recovery', (scenario: Scenario) => failNextRenewal(scenario, 'insufficient_funds')],
    [
      'suspended',
      ({ shop }: Scenario) =>
        db().storefronts.update({
          where: { id: shop.storefrontId },
          data: { suspended_at: new Date(), suspended_reason: 'Fraud' },
        }),
    ],
  ] as const)(
    'a customer’s subscription change is refused in the state %s, even if the form was loaded before this state',
    async (block, happen) => {
      const given = await changeable()
      const form = changeForm(await shownChange(given, { quantity: '5' }))
      await happen(given.scenario)
      expect(await shownChange(given, { quantity: '5' })).toMatchObject({ block, preview: null })
      const before = await ordersOf(given.scenario)
      expect((await submitChange(given.scenario.id, form, given.cookies))?.redirectTo).toMatch(/changed=$/)
      expect(await ordersOf(given.scenario)).toEqual(before)
      expect((await subscriptionOf(given.scenario)).quantity).toBe(3)
    },
  )

  test('a customer’s subscription change is refused after twenty charges in an hour', async () => {
    const given = await changeable()
    for (let quantity = 4; quantity < 24; quantity++)
      await send(`PATCH /v1/subscriptions/${given.scenario.id}`, {
        key: given.scenario.key,
        body: { quantity, applyImmediately: true, invoiceImmediately: true },
      })
    await drainTasks()
    expect(await shownChange(given, { quantity: '30' })).toMatchObject({ problem: 'tooMany', preview: null })
  })
})

describe('the form of a change', () => {
  const posted = (cookies: string, body: URLSearchParams, headers: Record<string, string>) =>
    new Request('http://localhost/portal', { method: 'POST', body, headers: { cookie: cookies, ...headers } })

  test('a form from another site cannot change a subscription', async () => {
    const given = await changeable()
    const form = changeForm(await shownChange(given, { quantity: '5' }))
    const params = { params: Promise.resolve({ id: given.scenario.id }) }
    const strange = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await submit(posted(given.cookies, form, strange), params)).status).toBe(403)
    expect((await subscriptionOf(given.scenario)).quantity).toBe(3)
    const own = await submit(posted(given.cookies, form, { origin: 'null', 'sec-fetch-site': 'same-origin' }), params)
    expect(own.headers.get('location')).toBe(`/portal/subscriptions/${given.scenario.id}?done=changed`)
  })

  test('a change form takes effect once, even if the merchant reverses the change before the form is sent again', async () => {
    const given = await changeable()
    const { scenario } = given
    const page = await shownChange(given, { quantity: '5' })
    await confirmChange(given, page)
    await drainTasks()
    await send(`PATCH /v1/subscriptions/${scenario.id}`, {
      key: scenario.key,
      body: { quantity: 3, applyImmediately: true, prorate: false },
    })
    expect((await confirmChange(given, page))?.redirectTo).toMatch(/\?done=changed$/)
    expect((await subscriptionOf(scenario)).quantity).toBe(3)
    expect(await ordersOf(scenario)).toHaveLength(2)
  })

  test.each([
    ['no preview version', { terms: '' }],
    ['the preview version of another quantity', { quantity: '6' }],
    ['an invented preview version', { terms: '2027-01-11T00:00:00Z x' }],
    ['a preview time in the future', { terms: '2027-03-11T00:00:00Z x' }],
    ['no form key', { key: '' }],
  ])('a form to change a subscription is refused if it has %s', async (_, wrong) => {
    const given = await changeable()
    const form = changeForm(await shownChange(given, { quantity: '5' }))
    for (const [name, value] of Object.entries(wrong)) form.set(name, value)
    expect((await submitChange(given.scenario.id, form, given.cookies))?.redirectTo).toContain('/change?')
    expect(await ordersOf(given.scenario)).toHaveLength(1)
    expect((await subscriptionOf(given.scenario)).quantity).toBe(3)
  })

  test('a change form with an old price, or loaded over an hour ago, charges nothing, and the page shows the new effect', async () => {
    const given = await changeable()
    const { scenario, dearer } = given
    const [old, byPlan] = [await shownChange(given, { quantity: '5' }), await shownChange(given, { plan: dearer.id })]
    await send(`PATCH /v1/subscription-plans/${dearer.id}`, {
      key: scenario.key,
      body: { basePrice: price('175.00') },
    })
    await approveReview(dearer.id)
    expect((await confirmChange(given, byPlan))?.redirectTo).toMatch(/changed=$/)
    const again = await shownChange(given, { plan: dearer.id, changed: '' })
    expect(again.isStale).toBe(true)
    expect(Number(again.preview?.dueNow?.total.value)).toBeGreaterThan(Number(byPlan.preview?.dueNow?.total.value))
    await pass(scenario, 'PT61M')
    expect((await confirmChange(given, old))?.redirectTo).toMatch(/changed=$/)
    expect(await ordersOf(scenario)).toHaveLength(1)
  })
})
