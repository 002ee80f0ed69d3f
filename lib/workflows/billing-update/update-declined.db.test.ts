import { afterAll, describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import {
  aLink,
  attemptsOf,
  during,
  openPage,
  renewal,
  save,
  stored,
  verification,
  visitor,
} from '../../testing/billing-update.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { tokenOf } from '../../testing/shop.ts'
import { june } from '../../testing/subscription-events.ts'
import {
  ask,
  clockTo,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { loadBillingUpdate } from './load-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function aDecline(scenario: Scenario, reason: 'card_expired' | 'insufficient_funds' = 'card_expired') {
  await declineMandate(scenario.id, reason)
  const { orders } = await renewal(scenario)
  expect(orders).toMatchObject([{ status: 'pending' }])
  return orders[0]
}

async function linksEmailed({ shop }: Scenario): Promise<string[]> {
  const emails = (await listEmails(shop.storefrontId)).reverse()
  return emails.flatMap(({ text }) => {
    const url = /http:\/\/billhook\.test\/billing-update\/\S+/.exec(text)?.[0]
    return url ? [tokenOf(url)] : []
  })
}

describe('a declined payment', () => {
  test('a new method that is chosen through an emailed link is charged immediately for the declined payment', async () => {
    const scenario = await subscriptionScenario(june)
    const order = await aDecline(scenario)
    await pass(scenario, 'P6D')
    const links = await linksEmailed(scenario)
    expect(links).toHaveLength(3)
    const [, token = ''] = links
    expect(await openPage(token)).toMatchObject({
      due: { total: { value: '100.00', currency: 'EUR' }, reason: 'card_expired' },
      form: { ...stored, paymentMethod: '' },
      canCancel: false,
    })
    expect((await loadBillingUpdate(token, visitor)).origins).toEqual([])
    const { events, orders } = await during(scenario, async () => {
      expect((await save(token, { paymentMethod: 'creditcard' }))?.redirectTo).toMatch(/^\/billing-update\/[^#]+$/)
    })
    expect(events).toEqual(['subscription.billing_updated', 'order.paid', 'order.paid'])
    expect(orders).toMatchObject([verification])
    expect(await get(scenario.key, `/v1/orders/${order.id}`)).toMatchObject({
      status: 'paid',
      paymentMethod: 'creditcard',
    })
    expect(await attemptsOf(order.id)).toEqual(['creditcard failed', 'creditcard paid'])
    expect((await loadBillingUpdate(token, visitor)).view).toMatchObject({
      state: 'done',
      charged: { value: '100.00', currency: 'EUR' },
    })
    expect((await loadBillingUpdate(token, visitor)).status).toBe(200)
    const week = await during(scenario, () => pass(scenario, 'P7D'))
    expect(week).toMatchObject({ events: [], subscription: { status: 'active', cancellationReason: null } })
    expect(await linksEmailed(scenario)).toHaveLength(3)
  })

  test('a declined payment stays unpaid if a billing update changes only the address or keeps the failed method', async () => {
    const scenario = await subscriptionScenario(june)
    const order = await aDecline(scenario)
    const [token = ''] = await linksEmailed(scenario)
    const { events } = await during(scenario, () => save(token, { city: 'Delft', paymentMethod: 'keep' }))
    expect(events).toEqual(['subscription.billing_updated'])
    expect(await openPage(token)).toMatchObject({
      isSaved: true,
      due: { reason: 'card_expired' },
      form: { city: 'Delft' },
    })
    expect((await during(scenario, () => save(token, { paymentMethod: 'keep' }))).events).toEqual([])
    expect(await attemptsOf(order.id)).toEqual(['creditcard failed'])
  })

  test('while a charge on a new method is pending, the page shows no amount due and the recovery does not end', async () => {
    const scenario = await subscriptionScenario(june)
    const order = await aDecline(scenario)
    await pass(scenario, 'P6DT23H')
    const [token = ''] = await linksEmailed(scenario)
    const saved = await during(scenario, () => save(token, { paymentMethod: 'directdebit' }))
    expect(saved.events).toEqual(['subscription.billing_updated', 'order.paid'])
    expect((await loadBillingUpdate(token, visitor)).view).toMatchObject({ state: 'done' })
    expect(await openPage(await aLink(scenario))).toMatchObject({ due: null })
    const settled = await during(scenario, () => pass(scenario, 'PT15M'))
    expect(settled).toMatchObject({ events: ['order.paid'], subscription: { status: 'active' } })
    expect(await attemptsOf(order.id)).toEqual(['creditcard failed', 'directdebit paid'])
    expect((await during(scenario, () => pass(scenario, 'P1D'))).events).toEqual([])
  })

  test('a recovery continues if a new method is declined', async () => {
    const scenario = await subscriptionScenario(june)
    const order = await aDecline(scenario)
    const [token = ''] = await linksEmailed(scenario)
    await during(scenario, () => save(token, { paymentMethod: 'directdebit' }))
    const simulate = `POST /v1/test-helpers/orders/${order.id}/simulate-payment`
    const body = { paymentStatus: 'failed', failureReason: 'account_closed' }
    const failure = await during(scenario, () => ask(scenario, simulate, body))
    expect(failure.events).toEqual([])
    expect(await openPage(token)).toMatchObject({ due: { total: { value: '100.00' } } })
    const end = await during(scenario, () => pass(scenario, 'P7D'))
    expect(end.events).toEqual(['order.canceled', 'subscription.canceled_for_nonpayment'])
    expect((await loadBillingUpdate(token, visitor)).view).toMatchObject({ state: 'ended' })
    expect((await loadBillingUpdate(token, visitor)).status).toBe(410)
  })

  test('a new method is charged only after a pending retry on the old method fails', async () => {
    for (const outcome of ['paid', 'failed']) {
      const scenario = await subscriptionScenario({ ...june, buyer: { paymentMethod: 'ideal' } })
      const order = await aDecline(scenario, 'insufficient_funds')
      await declineMandate(scenario.id, null)
      await pass(scenario, `${untilFirstRetry}T1M`)
      expect(await attemptsOf(order.id)).toEqual(['directdebit failed', 'directdebit pending'])
      const saved = await during(scenario, async () => save(await aLink(scenario), { paymentMethod: 'creditcard' }))
      expect(saved.events).toEqual(['subscription.billing_updated', 'order.paid'])
      expect(await attemptsOf(order.id)).toEqual(['directdebit failed', 'directdebit pending'])
      const simulate = `POST /v1/test-helpers/orders/${order.id}/simulate-payment`
      const update = await during(scenario, () => ask(scenario, simulate, { paymentStatus: outcome }))
      expect(update.events).toEqual(['order.paid'])
      expect(await attemptsOf(order.id)).toEqual(
        outcome === 'paid'
          ? ['directdebit failed', 'directdebit paid']
          : ['directdebit failed', 'directdebit failed', 'creditcard paid'],
      )
      expect((await during(scenario, () => pass(scenario, 'P20D'))).events).toEqual([])
    }
  })

  test('a new payment method pays an order after a test helper has simulated a failed charge', async () => {
    for (const waits of [false, true]) {
      const scenario = await subscriptionScenario(june)
      const body = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
      await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', body)
      if (waits) await pass(scenario, `${untilFirstRetry}T1H`)
      const [token = ''] = await linksEmailed(scenario)
      const { events } = await during(scenario, () => save(token, { paymentMethod: 'creditcard' }))
      expect(events).toEqual(['subscription.billing_updated', 'order.paid', 'order.paid'])
      const [, order] = await ordersOf(scenario)
      expect(order).toMatchObject({ status: 'paid', total: price('100.00') })
      expect(await attemptsOf(order.id)).toEqual(['creditcard paid'])
      expect((await during(scenario, () => pass(scenario, 'P21D'))).events).toEqual([])
    }
  })

  test('the billing update link in an email is valid for 8 days, and a later email has a new link', async () => {
    const scenario = await subscriptionScenario({ ...june, plan: { interval: 'year' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await clockTo(scenario.key, '2028-06-01T00:01:00Z')
    const [first = ''] = await linksEmailed(scenario)
    await pass(scenario, 'P7DT23H')
    await openPage(first)
    await pass(scenario, 'PT1H')
    expect((await loadBillingUpdate(first, visitor)).status).toBe(410)
    await openPage((await linksEmailed(scenario)).at(-1) ?? '')
  })
})
