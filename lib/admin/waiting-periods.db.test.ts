import { afterAll, beforeAll, expect, test } from 'vitest'
import { suspendStorefront } from '../modules/accounts/store.ts'
import type { SubscriptionAction } from '../modules/subscriptions/page.ts'
import { realNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator } from '../testing/operator.ts'
import { billingToken, chooseMethod } from '../testing/scenarios.ts'
import { drainTasks, ordersOf, pass, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import * as admin from './pages.ts'

let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator('waiting@example.com'))
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const euros = (value: string) => ({ value, currency: 'EUR' })
const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T`))
const place = ({ shop }: Scenario) => ({ mode: 'test', storefrontId: shop.storefrontId })
const changed = { subscriptionPlanId: '', 'price.value': '150.00', prorate: 'no' }
const dearer = new URLSearchParams({ ...changed, quantity: '', when: 'renewal', invoice: 'renewal' })

const pageOf = (scenario: Scenario) => admin.subscriptionPage(place(scenario), scenario.id, cookies)
const changePageOf = (scenario: Scenario) => admin.subscriptionChangePage(place(scenario), scenario.id, dearer, cookies)

const formOf = async (scenario: Scenario, action: SubscriptionAction) =>
  (await pageOf(scenario))?.actions.find((each) => each.action === action)

/** Creates a weekly subscription whose renewal on 8 January 2027 was declined. By default, 22 days pass, and the periods of 15 and 22 January are due. */
async function overdue(by = 'P22D'): Promise<Scenario> {
  const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, by)
  return scenario
}

test('the pages of a subscription state its unbilled periods, their total, and the next charge', async () => {
  const scenario = await overdue()
  expect(await pageOf(scenario)).toMatchObject({
    waiting: { count: 2, total: euros('200.00') },
    nextCharge: { total: euros('100.00'), at: on('2027-01-29') },
    isHeld: false,
  })
  const page = await changePageOf(scenario)
  expect(page?.preview).toMatchObject({
    now: null,
    waiting: { count: 2, total: euros('300.00') },
    nextCharge: { total: euros('150.00'), at: on('2027-01-29') },
  })
  const sent = new URLSearchParams({ ...page?.values, key: page?.formKey ?? '', terms: page?.terms ?? '' })
  const next = await admin.submitSubscriptionChange(place(scenario), scenario.id, sent, cookies)
  expect(next?.redirectTo).toMatch(/\?done=change$/)
  await chooseMethod(await billingToken(scenario), 'creditcard')
  await drainTasks()
  const totals = (await ordersOf(scenario)).map(({ total }: { total: { value: string } }) => total.value)
  expect(totals.slice(-2)).toEqual(['150.00', '150.00'])
  expect(await pageOf(scenario)).toMatchObject({ waiting: null, nextCharge: page?.preview?.nextCharge })
})

test('a pause form states the unbilled periods, and is refused if another period fell due after the form was opened', async () => {
  const scenario = await overdue('P15D')
  const pausing = await formOf(scenario, 'pause')
  expect(pausing?.stakes).toMatchObject({
    next: null,
    waiting: null,
    stopsWaiting: { count: 1, total: euros('100.00') },
    stops: { total: euros('100.00'), at: on('2027-01-22') },
  })
  const post = async (form: typeof pausing) => {
    const sent = new URLSearchParams({ intent: 'pause', key: form?.formKey ?? '', terms: form?.terms ?? '' })
    return (await admin.submitSubscription(place(scenario), scenario.id, sent, cookies))?.redirectTo.split('?').at(-1)
  }
  await pass(scenario, 'P1D')
  const again = await formOf(scenario, 'pause')
  expect(again?.terms).toBe(pausing?.terms)
  await pass(scenario, 'P6D')
  expect((await formOf(scenario, 'pause'))?.stakes.stopsWaiting).toMatchObject({ count: 2 })
  expect(await post(again)).toBe('changed=pause#problems')
  expect(await post(await formOf(scenario, 'pause'))).toBe('done=pause')
  expect(await pageOf(scenario)).toMatchObject({ waiting: null, nextCharge: null, isHeld: false })
})

test('during a suspension, the pages of a subscription state that due periods are not charged', async () => {
  const scenario = await overdue()
  const { storefrontId } = scenario.shop
  await suspendStorefront(db(), storefrontId, { since: realNow(), reason: 'Fraud' })
  const held = { waiting: null, nextCharge: null, isHeld: true }
  expect(await pageOf(scenario)).toMatchObject({ ...held, renewalsWait: 'suspended' })
  expect((await changePageOf(scenario))?.preview).toMatchObject(held)
  expect((await formOf(scenario, 'pause'))?.stakes).toMatchObject({ isHeld: false, stops: null, stopsWaiting: null })
})
