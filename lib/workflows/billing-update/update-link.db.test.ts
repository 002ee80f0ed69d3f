import { afterAll, describe, expect, test } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import {
  aLink,
  attemptsOf,
  during,
  openPage,
  renewal,
  save,
  urls,
  verification,
  visitor,
} from '../../testing/billing-update.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { june } from '../../testing/subscription-events.ts'
import { ask, pass, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { pauseTyped, unpauseTyped } from '../subscription-change/operations.ts'
import { loadBillingUpdate } from './load-billing-update.ts'
import { submitBillingUpdate } from './submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('a billing update link', () => {
  test('a billing update link expires after 24 hours on the storefront’s clock, and its prefilled details are deleted', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await aLink(scenario, { billingAddress: { fullName: 'Grace' } })
    const prefills = async () => {
      await housekeeping()
      const where = { subscription_id: scenario.id }
      return (await db().billing_update_links.findMany({ where })).map((link) => link.billing_address)
    }
    const { form, version } = await openPage(token)
    await pass(scenario, 'PT23H59M')
    await openPage(token)
    expect(await prefills()).toEqual([{ fullName: 'Grace' }])
    await pass(scenario, 'PT1M')
    expect((await loadBillingUpdate(token, visitor)).status).toBe(410)
    expect(await prefills()).toEqual([null])
    expect((await loadBillingUpdate(token, visitor)).view).toMatchObject({ state: 'expired' })
    const { events } = await during(scenario, () =>
      submitBillingUpdate(token, new URLSearchParams({ ...form, version, paymentMethod: 'paypal' }), visitor),
    )
    expect(events).toEqual([])
  })

  test('the billing update link of an ended subscription is no longer valid', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await aLink(scenario)
    const { form, version } = await openPage(token)
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect((await loadBillingUpdate(token, visitor)).status).toBe(410)
    expect((await loadBillingUpdate(token, visitor)).view).toMatchObject({ state: 'ended' })
    const { events } = await during(scenario, () =>
      submitBillingUpdate(token, new URLSearchParams({ ...form, version, paymentMethod: 'paypal' }), visitor),
    )
    expect(events).toEqual([])
  })

  test('an unknown billing update link is not found', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await aLink(scenario)
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of ['', 'x', altered, `${token}A`]) {
      expect((await loadBillingUpdate(wrong, visitor)).status).toBe(404)
      expect((await loadBillingUpdate(wrong, visitor)).view).toBeNull()
      expect(await submitBillingUpdate(wrong, new URLSearchParams(), visitor)).toBeNull()
    }
  })

  test('a billing update link can be created in a trial or grace period, but not after the end of the subscription', async () => {
    const scenario = await subscriptionScenario({ ...june, item: { trialDays: 14 } })
    await openPage(await aLink(scenario))
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await openPage(await aLink(scenario))).toMatchObject({ quote: { nextCharge: null } })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect(await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', urls)).toMatchObject({
      status: 422,
      body: { code: 'subscription_not_changeable' },
    })
  })

  test('a billing update during a pause stores the new method, and the next period after the pause is charged on this method', async () => {
    const scenario = await subscriptionScenario(june)
    await pauseTyped(scenario.id)
    const token = await aLink(scenario)
    expect(await openPage(token)).toMatchObject({ quote: { nextCharge: null } })
    const { events, orders } = await during(scenario, () => save(token, { paymentMethod: 'paypal' }))
    expect(events).toEqual(['subscription.billing_updated', 'order.paid'])
    expect(orders).toMatchObject([verification])
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'paused', mandate: { method: 'paypal' } })
    expect((await renewal(scenario)).orders).toEqual([])
    const resumed = await during(scenario, () => unpauseTyped(scenario.id))
    expect(resumed.subscription).toMatchObject({ status: 'active' })
    expect(await attemptsOf(resumed.orders[0].id)).toEqual(['paypal paid'])
  })

  test.each<[field: string, body: object]>([
    ['redirectUrlSuccess', { redirectUrlSuccess: undefined }],
    ['redirectUrlCanceled', { redirectUrlCanceled: undefined }],
    ['redirectUrlSuccess', { redirectUrlSuccess: '/done' }],
    ['redirectUrlCanceled', { redirectUrlCanceled: 'https://user:pass@shop.example/' }],
    ['billingAddress.country', { billingAddress: { country: 'XK' } }],
    ['billingAddress.country', { billingAddress: { country: 'de' } }],
  ])('a refused request for a billing update link has an error on the field %s: %j', async (field, body) => {
    const scenario = await subscriptionScenario(june)
    const reply = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', { ...urls, ...body })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(Object.keys(reply.body.errors)).toEqual([field])
  })

  test('repeating a request for a billing update link with its idempotency key returns the same link', async () => {
    const scenario = await subscriptionScenario(june)
    const asking = () =>
      send(`POST /v1/subscriptions/${scenario.id}/billing-update-link`, {
        key: scenario.key,
        body: urls,
        headers: { 'Idempotency-Key': 'one' },
      })
    const [first, again] = [await asking(), await asking()]
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(await db().billing_update_links.count({ where: { storefront_id: scenario.shop.storefrontId } })).toBe(1)
  })
})
