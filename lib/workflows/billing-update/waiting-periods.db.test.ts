import { expect, test } from 'vitest'
import { resumeStorefront, suspendStorefront } from '../../modules/accounts/store.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { now as clockNow, realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { read } from '../../testing/email-text.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { billingToken, chooseMethod } from '../../testing/scenarios.ts'
import { tokenOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { subscriptionPage } from '../portal/load-portal.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { billingUpdateQuote, loadBillingUpdate } from './load-billing-update.ts'

const euros = (value: string) => ({ value, currency: 'EUR' })
const recoveredOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'payment_recovered').map(({ text }) => read(text))
const portalOf = async (scenario: Scenario) =>
  (await subscriptionPage(scenario.id, portalVisitor(await portalCookies(scenario))))?.subscription

/** The charge of the renewal on 8 January 2027 was declined. The periods from 15 and 22 January are due too. */
async function overdue(): Promise<Scenario> {
  const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P22D')
  return scenario
}

test('the portal, the billing update page, and the receipt state the total of all unpaid and unbilled periods', async () => {
  const scenario = await overdue()
  expect(await portalOf(scenario)).toMatchObject({
    due: { total: euros('100.00') },
    waiting: { count: 2, total: euros('200.00') },
    toPay: euros('300.00'),
    nextCharge: { total: euros('100.00'), at: expect.stringMatching(/^2027-01-29T/) },
  })
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', { price: price('150.00') })
  const token = await billingToken(scenario)
  const page = (await loadBillingUpdate(token, { header: () => null, acceptLanguage: 'en' })).view
  const coming = {
    waiting: { count: 2, total: euros('300.00') },
    toPay: euros('400.00'),
    nextCharge: { total: euros('150.00'), at: expect.stringMatching(/^2027-01-29T/) },
  }
  expect(page).toMatchObject({ due: { total: euros('100.00') }, quote: { ...coming, canKeep: true } })
  // The unpaid order was already billed, so it keeps the old tax. The two later periods are not billed yet, so they
  // have the tax of the new details.
  expect(await billingUpdateQuote(token, new URLSearchParams({ country: 'FR', taxId: '' }))).toMatchObject({
    waiting: { count: 2, total: euros('360.00') },
    toPay: euros('460.00'),
  })
  await chooseMethod(token, 'creditcard')
  await drainTasks()
  const orders: { status: string; total: { value: string } }[] = (await ordersOf(scenario)).slice(1)
  expect(orders.map(({ status, total }) => [status, total.value])).toEqual([
    ['paid', '100.00'],
    ['paid', '0.00'],
    ['paid', '150.00'],
    ['paid', '150.00'],
  ])
  const [text = '', ...more] = await recoveredOf(scenario)
  expect(more).toEqual([])
  expect(text).toContain('2 further periods have begun in the meantime and are charged now: €300.00 in all.')
  expect(text).toContain('Next charge: €150.00 on 29 January 2027')
  expect(await portalOf(scenario)).toMatchObject({ waiting: null, toPay: null, nextCharge: coming.nextCharge })
  expect(await brokenInvariants()).toEqual({})
})

test('the page after a billing update states only the unbilled periods that were stored at the update', async () => {
  const scenario = await overdue()
  const [email = ''] = (await listEmails(scenario.shop.storefrontId)).flatMap(
    ({ text }) => /http:\/\/billhook\.test\/billing-update\/\S+/.exec(text)?.[0] ?? [],
  )
  const token = tokenOf(email)
  const page = () => loadBillingUpdate(token, { header: () => null, acceptLanguage: 'en' }).then(({ view }) => view)
  await chooseMethod(token, 'creditcard')
  const done = { state: 'done', charged: euros('100.00') }
  expect(await page()).toMatchObject({ ...done, waiting: { count: 2, total: euros('200.00') } })
  await drainTasks()
  expect((await ordersOf(scenario)).slice(1)).toHaveLength(4)
  expect(await page()).toMatchObject({ ...done, waiting: { count: 2, total: euros('200.00') } })
  await db().$executeRaw`
    UPDATE billing_update_links SET draft = draft #- '{saved,waiting}' WHERE storefront_id = ${scenario.shop.storefrontId}`
  expect(await page()).toMatchObject({ ...done, waiting: null })
})

test('an immediate change during an overdue payment applies to all unbilled periods, without proration', async () => {
  const scenario = await overdue()
  const orders = await ordersOf(scenario)
  const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).status).toBe(200)
  expect(await ordersOf(scenario)).toEqual(orders)
  expect(await portalOf(scenario)).toMatchObject({
    due: { total: euros('100.00') },
    waiting: { count: 2, total: euros('400.00') },
    toPay: euros('500.00'),
  })
  for (const moved of [{ resetAnchor: true }, { anchor: '2027-01-25' }])
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', { applyImmediately: true, ...moved })).status).toBe(422)
})

test('a recovery that ends within its billing period does not delay the next charge', async () => {
  const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P8D')
  expect(await portalOf(scenario)).toMatchObject({
    waiting: null,
    toPay: euros('100.00'),
    nextCharge: { at: expect.stringMatching(/^2027-01-15T/) },
  })
  await declineMandate(scenario.id, null)
  await pass(scenario, 'P2D')
  const [text = ''] = await recoveredOf(scenario)
  expect(text).toContain('Next charge: €100.00 on 15 January 2027')
  expect(text).not.toContain('in the meantime')
})

test('during a suspension, only the unpaid amount is collected, and unbilled periods are not mentioned', async () => {
  const scenario = await overdue()
  const { storefrontId } = scenario.shop
  await suspendStorefront(db(), storefrontId, { since: realNow(), reason: 'Fraud' })
  const only = { waiting: null, toPay: euros('100.00'), nextCharge: null }
  expect(await portalOf(scenario)).toMatchObject({ ...only, renewalsWait: true })
  const token = await billingToken(scenario)
  expect(await billingUpdateQuote(token, new URLSearchParams({ country: 'DE' }))).toMatchObject(only)
  await chooseMethod(token, 'creditcard')
  await drainTasks()
  expect(await ordersOf(scenario)).toHaveLength(3)
  const [text = ''] = await recoveredOf(scenario)
  expect(text).not.toMatch(/Next charge|in the meantime/)

  await pass(scenario, 'P1D')
  const testAt = await clockNow(db(), { storefrontId, testmode: true })
  await resumeStorefront(db(), storefrontId, { at: realNow(), testAt })
  await pass(scenario, 'P2D')
  expect((await ordersOf(scenario)).slice(3).map(({ total }: { total: { value: string } }) => total.value)).toEqual([
    '100.00',
  ])
})

test('the email about a retry states all periods that the retry charges', async () => {
  const scenario = await overdue()
  const failed = (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'payment_failed')
  const said = failed.toReversed().map(({ text }) => /By then[^.]*\.\d\d[^.]*\./.exec(read(text))?.[0] ?? null)
  expect(said).toEqual([
    null,
    'By then a further period is due, which is charged at once as well: €100.00.',
    'By then 2 further periods are due, which are charged at once as well: €200.00 in all.',
    'By then 3 further periods are due, which are charged at once as well: €300.00 in all.',
  ])
})

test('after a trial, the receipt of an overdue order states the periods that began in the meantime and are charged now', async () => {
  const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P8D')
  expect(
    (await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 1, trialUntil: '2027-01-16T00:00:00Z' })).status,
  ).toBe(200)
  await pass(scenario, 'P17D')
  await chooseMethod(await billingToken(scenario), 'creditcard')
  await drainTasks()
  const [text = ''] = await recoveredOf(scenario)
  expect(text).toContain('2 further periods have begun in the meantime and are charged now: €200.00 in all.')
})

/** The renewal's charge was declined on 8 January 2027, and the change's charge on the next day. */
async function owingTwice(): Promise<Scenario> {
  const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P8D')
  const more = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', more)).status).toBe(200)
  await drainTasks()
  return scenario
}

test('if an unpaid renewal and an unpaid change are paid, each of the two receipts states the next charge', async () => {
  const scenario = await owingTwice()
  await declineMandate(scenario.id, null)
  await pass(scenario, 'P7D')
  const texts = (await recoveredOf(scenario)).reverse()
  expect(texts.map((text) => /Next charge: .*/.exec(text)?.[0] ?? null)).toEqual([
    'Next charge: €200.00 on 15 January 2027',
    'Next charge: €200.00 on 15 January 2027',
  ])
  expect(await brokenInvariants()).toEqual({})
})

test('if a renewal and a change are unpaid, only emails about the renewal mention the unbilled periods', async () => {
  const scenario = await owingTwice()
  await pass(scenario, 'P8D')
  const failed = (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'payment_failed')
  expect(failed).toHaveLength(6)
  const waiting = failed.filter(({ text }) => read(text).includes('further period'))
  expect(waiting.map(({ text }) => text.includes('Your payment of €100.00'))).toEqual([true, true])
  await declineMandate(scenario.id, null)
  await pass(scenario, 'P8D')
  expect((await recoveredOf(scenario)).reverse().map((text) => text.includes('2 further periods'))).toEqual([
    true,
    false,
  ])
})
