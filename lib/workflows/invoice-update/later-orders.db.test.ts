import { afterAll, describe, expect, test } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, checkOut, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aLink, filled, firstOrder, openPage, save, saved, versionsOf } from '../../testing/invoice-update.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { type Answer, tokenOf } from '../../testing/shop.ts'
import {
  ask,
  clockTo,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { loadBillingUpdate } from '../billing-update/load-billing-update.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { invoiceUpdatePage } from './load-invoice-update.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('useForLaterOrders', () => {
  const details = { companyName: 'Engines AG', city: 'Bonn', taxId: 'DE2' }

  async function eventsDuring(scenario: Scenario, doing: () => Promise<unknown>): Promise<Answer[]> {
    const storefront = { storefront_id: scenario.shop.storefrontId }
    const before = await db().events.count({ where: storefront })
    await doing()
    await drainTasks()
    const rows = await db().events.findMany({ where: storefront, orderBy: { id: 'asc' } })
    return rows.slice(before).map(({ body }) => JSON.parse(body))
  }

  test('without useForLaterOrders, subscriptions do not change, and the next renewal has the old details', async () => {
    const scenario = await subscriptionScenario()
    const before = await subscriptionOf(scenario)
    const token = await aLink(await firstOrder(scenario))
    expect(await eventsDuring(scenario, () => save(token, details))).toEqual([])
    expect(await subscriptionOf(scenario)).toEqual(before)
    await clockTo(scenario.key, '2027-02-01T00:01:00Z')
    expect((await ordersOf(scenario))[1].customerDetails).toMatchObject({ companyName: null, city: null, taxId: 'DE1' })
  })

  test('useForLaterOrders also changes the details of an open verification of a payment method', async () => {
    const nobody = { acceptLanguage: 'de', header: () => null }
    const scenario = await subscriptionScenario()
    const link = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', {
      redirectUrlSuccess: 'https://shop.example/ok',
      redirectUrlCanceled: 'https://shop.example/no',
    })
    const billing = tokenOf(link.body.href)
    const page = (await loadBillingUpdate(billing, nobody)).view
    if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
    const sent = new URLSearchParams({ ...page.form, version: page.version, paymentMethod: 'creditcard' })
    const provider = await submitBillingUpdate(billing, sent, nobody)
    const token = await aLink(await firstOrder(scenario))
    await save(token, { ...details, useForLaterOrders: 'true' })
    await onProvidersPage(provider)
    await drainTasks()
    expect((await subscriptionOf(scenario)).billingAddress).toMatchObject(details)
  })

  test('useForLaterOrders changes every ongoing subscription of the customer, with one event each, caused by the customer', async () => {
    const scenario = await subscriptionScenario()
    const buyAgain = async (buyer: object) => {
      const checkout = await aCheckout(scenario.key, scenario.planId)
      await pay(scenario.key, checkout, { country: 'DE', taxId: 'DE1', ...buyer })
      await drainTasks()
      const { data } = await get(scenario.key, '/v1/subscriptions?limit=1')
      return data[0]
    }
    const grace = await buyAgain({ country: 'NL', taxId: '' })
    await ask({ ...scenario, id: grace.id }, 'DELETE /v1/subscriptions/{id}')
    const over = await buyAgain({})
    await ask({ ...scenario, id: over.id }, 'DELETE /v1/subscriptions/{id}?immediately=true')
    const same = await buyAgain(details)
    const stranger = await buyAgain({ email: 'grace@example.com' })
    expect(new Set([grace, over, same].map(({ customerId }) => customerId))).toEqual(new Set([scenario.customerId]))
    const untouched = async () =>
      Promise.all([over, same, stranger].map(({ id }) => get(scenario.key, `/v1/subscriptions/${id}`)))
    const before = await untouched()

    const token = await aLink(await firstOrder(scenario))
    const events = await eventsDuring(scenario, () => save(token, { ...details, useForLaterOrders: 'true' }))
    expect(events.map(({ eventName, entityId }) => [eventName, entityId])).toEqual([
      ['subscription.billing_updated', scenario.id],
      ['subscription.billing_updated', grace.id],
    ])
    for (const { entityId, object } of events) {
      expect(object).toEqual(await get(scenario.key, `/v1/subscriptions/${entityId}`))
      expect(object.billingAddress).toMatchObject({ ...details, fullName: 'Ada', country: 'DE' })
    }
    const causes = await db().events.findMany({ where: { id: { in: events.map(({ id }) => id) } } })
    expect(causes.map(({ caused_by }) => caused_by)).toEqual(['customer', 'customer'])
    expect(await untouched()).toEqual(before)
    // The customer gets an email, because another person could have used the link.
    const emails = await db().emails.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    expect(emails.filter(({ kind }) => kind === 'billing_updated')).toHaveLength(1)
    expect(await invoiceUpdatePage(token, 'saved')).toMatchObject({ state: 'done', alsoLater: true })
    expect((await openPage(token)).form.useForLaterOrders).toBe('')
    await clockTo(scenario.key, '2027-02-01T00:01:00Z')
    const renewals: Answer[] = (await ordersOf(scenario)).slice(5)
    const billed = renewals.map(({ lines, customerDetails }) => [lines[0].productId, customerDetails.companyName])
    expect(billed.sort()).toEqual(
      [
        [scenario.id, 'Engines AG'],
        [same.id, 'Engines AG'],
        [stranger.id, null],
      ].sort(),
    )
    for (const renewal of renewals) expect(renewal).toMatchObject({ total: price('100.00') })
  })

  test('with useForLaterOrders, a subscription with an open first payment starts with the new details', async () => {
    const scenario = await subscriptionScenario()
    const { key, planId, customerId } = scenario
    const token = await aLink(await firstOrder(scenario))
    await checkOut(key, await aCheckout(key, planId, { customerId }), { country: 'DE', paymentMethod: 'directdebit' })
    const [waiting] = (await get(key, '/v1/subscriptions?limit=1')).data
    expect(waiting).toMatchObject({ status: 'created', billingAddress: { city: null } })
    await save(token, { ...details, useForLaterOrders: 'true' })
    const events = await eventsDuring(scenario, () => pass(scenario, 'PT1H'))
    const started = events.find(({ eventName }) => eventName === 'subscription.started')
    expect(started).toMatchObject({ entityId: waiting.id, object: { status: 'active', billingAddress: details } })
    expect(await get(key, `/v1/subscriptions/${waiting.id}`)).toMatchObject({ billingAddress: details })
  })

  test('useForLaterOrders with unchanged invoice details changes only the subscriptions', async () => {
    const scenario = await subscriptionScenario()
    const sale = await firstOrder(scenario)
    const token = await aLink(sale)
    await save(token, details)
    const form = await filled(token, { useForLaterOrders: 'true' })
    const events = await eventsDuring(scenario, async () => {
      for (const _ of [1, 2]) expect(await submitInvoiceUpdate(token, form)).toEqual(saved)
    })
    expect(events).toMatchObject([{ eventName: 'subscription.billing_updated' }])
    expect(await versionsOf(sale)).toHaveLength(2)
  })

  test('useForLaterOrders and a concurrent cancellation both take effect, without a deadlock', async () => {
    for (const first of ['correction', 'cancellation']) {
      const scenario = await subscriptionScenario()
      const token = await aLink(await firstOrder(scenario))
      const form = await filled(token, { ...details, useForLaterOrders: 'true' })
      const racers: (() => Promise<unknown>)[] = [
        () => submitInvoiceUpdate(token, form),
        () => send(`DELETE /v1/subscriptions/${scenario.id}`, { key: scenario.key }),
      ]
      const ends = await raceBehind(
        lockOn('subscriptions', scenario.id),
        first === 'correction' ? racers : racers.toReversed(),
      )
      for (const end of ends) expect(end.status).toBe('fulfilled')
      expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', billingAddress: details })
      await drainTasks()
    }
  })
})
