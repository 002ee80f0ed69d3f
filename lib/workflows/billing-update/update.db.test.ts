import { afterAll, describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { tokenOf } from '../../testing/shop.ts'
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
  untilFirstRetry,
  withoutPayment,
} from '../../testing/subscription-scenario.ts'
import { providerLedger } from '../reconciliation/provider-ledger.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { billingUpdateQuote, loadBillingUpdate } from './load-billing-update.ts'
import { submitBillingUpdate } from './submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Answer = any

const june = { at: '2027-06-01T00:00:00Z' }
const urls = { redirectUrlSuccess: 'https://shop.example/ok?a=1', redirectUrlCanceled: 'https://back.example/no' }
const visitor = { acceptLanguage: 'de', header: () => null }
const stored = { fullName: 'Ada', taxId: 'DE1', country: 'DE' }
const blank = {
  fullName: '',
  companyName: '',
  taxId: '',
  streetAndNumber: '',
  streetAdditional: '',
  city: '',
  region: '',
  postalCode: '',
  country: '',
}

async function aLink(scenario: Scenario, body: object = {}): Promise<string> {
  const reply = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', { ...urls, ...body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  expect(reply.body).toEqual({
    href: expect.stringMatching(/^http:\/\/billhook\.test\/billing-update\/./),
    type: 'text/html',
  })
  return tokenOf(reply.body.href)
}

async function openPage(token: string) {
  const page = (await loadBillingUpdate(token, visitor)).view
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  expect((await loadBillingUpdate(token, visitor)).status).toBe(200)
  return page
}

async function submitForm(token: string, typed: Record<string, string>) {
  const { form, version } = await openPage(token)
  return submitBillingUpdate(token, new URLSearchParams({ ...form, version, ...typed }), visitor)
}

const save = async (token: string, typed: Record<string, string>, outcome: Record<string, string> = {}) =>
  onProvidersPage(await submitForm(token, typed), outcome)

async function during(scenario: Scenario, doing: () => Promise<unknown>) {
  const storefront = { storefront_id: scenario.shop.storefrontId }
  const [eventsBefore, ordersBefore] = [
    await db().events.count({ where: storefront }),
    (await ordersOf(scenario)).length,
  ]
  await doing()
  await drainTasks()
  const rows = await db().events.findMany({ where: storefront, orderBy: { id: 'asc' } })
  const events: Answer[] = rows.slice(eventsBefore).map(({ body }) => JSON.parse(body))
  const lastOfEach = new Map(events.map((event) => [event.entityId, event])).values()
  for (const { entityType, entityId, object } of lastOfEach) {
    const shown = await get(scenario.key, `/v1/${entityType}s/${entityId}`)
    expect(withoutPayment(object)).toEqual(withoutPayment(shown))
  }
  const orders: Answer[] = (await ordersOf(scenario)).slice(ordersBefore)
  return { events: events.map(({ eventName }) => eventName), orders, subscription: await subscriptionOf(scenario) }
}

const pastMidnight = (scenario: Scenario, day: string) => clockTo(scenario.key, `${day}T00:01:00Z`)
const renewal = (scenario: Scenario) => during(scenario, () => pastMidnight(scenario, '2027-07-01'))
const verification = {
  status: 'paid',
  invoiceNumber: null,
  total: price('0.00'),
  lines: [{ productType: 'billing_details_verification', productId: null }],
}
const attemptsOf = async (orderId: string) =>
  (await providerLedger(orderId)).map(({ method, status }) => `${method} ${status}`)

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

describe('the billing update form', () => {
  test('the billing update form shows the stored details, the current method, and the next charge', async () => {
    const scenario = await subscriptionScenario(june)
    for (const body of [{}, { billingAddress: null }, { billingAddress: {} }]) {
      const token = await aLink(scenario, body)
      expect(await openPage(token)).toMatchObject({
        locale: 'de',
        testmode: true,
        subscriptionName: 'Pro',
        form: { ...blank, ...stored, paymentMethod: 'keep' },
        problems: {},
        mandate: { method: 'card', maskedIdentifier: '4242' },
        methods: ['creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'],
        quote: {
          taxId: 'reverse_charge',
          companyDetails: 'asked',
          asksForAddress: true,
          asksForProvince: false,
          asksForPostalCode: true,
          taxIdExample: 'DE123456789',
          nextCharge: {
            total: { value: '100.00', currency: 'EUR' },
            at: (await subscriptionOf(scenario)).nextRenewalAt,
          },
        },
        due: null,
        canCancel: true,
      })
      expect((await loadBillingUpdate(token, visitor)).origins).toEqual([
        'https://shop.example',
        'https://back.example',
      ])
    }
  })

  test.each([
    [{ country: 'DE', taxId: 'DE2' }, 'reverse_charge', '100.00'],
    [{ country: 'NL', taxId: 'NL1' }, 'domestic', '121.00'],
    [{ country: 'FR', taxId: 'DE1' }, 'not_confirmed', '120.00'],
    [{ country: 'FR' }, 'none', '120.00'],
    [{ country: '', taxId: 'NL1' }, 'none', '100.00'],
    [{ country: 'ZZ', taxId: 'ZZ1' }, 'none', '100.00'],
  ])(
    'for the input %j, the billing update form shows the tax ID state %s and the next charge %s',
    async (typed, taxId, total) => {
      const scenario = await subscriptionScenario(june)
      const token = await aLink(scenario)
      const quoted = await billingUpdateQuote(token, new URLSearchParams(typed))
      expect(quoted).toMatchObject({ taxId, nextCharge: { total: { value: total } } })
      expect(quoted?.companyDetails).toBe(taxId === 'reverse_charge' ? 'asked' : 'optional')
      expect((await openPage(token)).form).toMatchObject(stored)
      await pass(scenario, 'P2D')
      expect(await billingUpdateQuote(token, new URLSearchParams(typed))).toBeNull()
      expect(await billingUpdateQuote(`${token}x`, new URLSearchParams(typed))).toBeNull()
    },
  )

  test('the billing update form shows, but does not save, the details that the merchant sent', async () => {
    const scenario = await subscriptionScenario(june)
    const before = await subscriptionOf(scenario)
    const sent = { city: 'Lyon', country: 'FR', taxId: 'FR1' }
    const token = await aLink(scenario, { billingAddress: sent })
    expect((await openPage(token)).form).toEqual({ ...blank, ...sent, paymentMethod: 'keep' })
    expect((await openPage(await aLink(scenario, { billingAddress: blank }))).form).toEqual({
      ...blank,
      paymentMethod: 'keep',
    })
    expect(await subscriptionOf(scenario)).toEqual(before)
  })

  test('the billing update form shows and saves a tax ID without separators and invisible characters', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await aLink(scenario, {
      billingAddress: { ...stored, taxId: '\u200eDE\u20132.(0)' },
    })
    expect((await openPage(token)).form).toMatchObject({ taxId: 'DE20' })
    expect(await save(token, { taxId: ' DE\u20603/1:\t', paymentMethod: 'keep' })).toEqual({
      redirectTo: urls.redirectUrlSuccess,
    })
    expect((await subscriptionOf(scenario)).billingAddress).toMatchObject({ taxId: 'DE31' })
  })

  test('the billing update form has the language of the checkout, not the language of the visitor', async () => {
    const scenario = await subscriptionScenario(june)
    const checkout = await aCheckout(scenario.key, scenario.planId, { locale: 'pl-PL' })
    const { customerId } = await pay(scenario.key, checkout, { email: 'jan@example.com' })
    const { data } = await get(scenario.key, `/v1/customers/${customerId}/subscriptions`)
    expect(await openPage(await aLink({ ...scenario, id: data[0].id }))).toMatchObject({ locale: 'pl' })
  })

  test('the cancel button of the billing update form redirects to the shop without a change', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await aLink(scenario)
    const cancel = new URLSearchParams({ intent: 'cancel' })
    const { events, orders } = await during(scenario, async () =>
      expect(await submitBillingUpdate(token, cancel, visitor)).toEqual({ redirectTo: urls.redirectUrlCanceled }),
    )
    expect({ events, orders }).toEqual({ events: [], orders: [] })
    expect((await openPage(token)).form).toMatchObject(stored)
  })

  test('the billing update form reports all problems in one response and keeps all typed values', async () => {
    const scenario = await subscriptionScenario(june)
    const before = await subscriptionOf(scenario)
    const token = await aLink(scenario)
    const typed = { fullName: ' ', country: 'XX', city: 'Delft ', companyName: 'x'.repeat(256), paymentMethod: 'cash' }
    const { events } = await during(scenario, async () => {
      expect((await save(token, typed))?.redirectTo).toMatch(/^\/billing-update\/.*#problems$/)
    })
    expect(events).toEqual([])
    const page = await openPage(token)
    expect(Object.keys(page.problems).sort()).toEqual(['companyName', 'country', 'fullName', 'paymentMethod'])
    expect(page.form).toMatchObject({ ...typed, fullName: '', city: 'Delft', taxId: 'DE1' })
    expect(await subscriptionOf(scenario)).toEqual(before)
    const good = { fullName: 'Ada L.', country: 'DE', companyName: '', paymentMethod: 'keep' }
    expect(await save(token, good)).toEqual({ redirectTo: urls.redirectUrlSuccess })
    expect((await subscriptionOf(scenario)).billingAddress).toMatchObject({ fullName: 'Ada L.', city: 'Delft' })
  })

  test.each(['banktransfer', 'paybybank', ''])(
    'the billing update form refuses the payment method "%s"',
    async (paymentMethod) => {
      const scenario = await subscriptionScenario(june)
      const token = await aLink(scenario)
      expect((await save(token, { paymentMethod }))?.redirectTo).toMatch(/#problems$/)
      expect(Object.keys((await openPage(token)).problems)).toEqual(['paymentMethod'])
    },
  )
})

describe('a change of billing details or payment method', () => {
  test('a billing update of only the address emits an event, creates no order, and applies from the next charge', async () => {
    const scenario = await subscriptionScenario(june)
    const before = await subscriptionOf(scenario)
    const token = await aLink(scenario)
    const { events, orders, subscription } = await during(scenario, () =>
      save(token, { country: 'NL', taxId: '', city: 'Delft' }),
    )
    expect({ events, orders }).toEqual({ events: ['subscription.billing_updated'], orders: [] })
    expect(subscription).toEqual({
      ...before,
      billingAddress: { ...before.billingAddress, country: 'NL', taxId: null, city: 'Delft' },
    })
    const next = await renewal(scenario)
    expect(next.orders).toMatchObject([
      { total: price('121.00'), customerDetails: { country: 'NL', taxId: null, city: 'Delft' } },
    ])
  })

  test('a billing update of only the method is verified with an order of 0.00 and applies to later charges', async () => {
    const scenario = await subscriptionScenario(june)
    const before = await subscriptionOf(scenario)
    const { events, orders, subscription } = await during(scenario, async () => {
      expect(await save(await aLink(scenario), { paymentMethod: 'paypal' })).toEqual({
        redirectTo: urls.redirectUrlSuccess,
      })
    })
    expect(events).toEqual(['subscription.billing_updated', 'order.paid'])
    expect(orders).toMatchObject([{ ...verification, paymentMethod: 'paypal' }])
    expect(subscription).toEqual({
      ...before,
      mandate: { method: 'paypal', maskedIdentifier: 'j***@example.com' },
    })
    const next = await renewal(scenario)
    expect(next.orders).toMatchObject([{ status: 'paid', paymentMethod: 'paypal', total: price('100.00') }])
    expect(await attemptsOf(next.orders[0].id)).toEqual(['paypal paid'])
  })

  test.each([
    ['creditcard', 'card', '4242', 'creditcard'],
    ['ideal', 'sepa_debit', 'NL91****4300', 'directdebit'],
    ['bancontact', 'sepa_debit', 'NL91****4300', 'directdebit'],
    ['directdebit', 'sepa_debit', 'NL91****4300', 'directdebit'],
  ])(
    'a billing update with the method %s stores a mandate of the type %s',
    async (paymentMethod, method, maskedIdentifier, charged) => {
      const scenario = await subscriptionScenario(june)
      const { subscription } = await during(scenario, async () => save(await aLink(scenario), { paymentMethod }))
      expect(subscription).toMatchObject({ mandate: { method, maskedIdentifier } })
      expect((await renewal(scenario)).orders).toMatchObject([{ paymentMethod: charged }])
    },
  )

  test('a billing update of address and method emits subscription.billing_updated once', async () => {
    const scenario = await subscriptionScenario(june)
    const { events, subscription } = await during(scenario, async () =>
      save(await aLink(scenario), { city: 'Delft', paymentMethod: 'paypal' }),
    )
    expect(events).toEqual(['subscription.billing_updated', 'order.paid'])
    expect(subscription).toMatchObject({ billingAddress: { city: 'Delft' }, mandate: { method: 'paypal' } })
  })

  test('a billing update form without changes emits no event', async () => {
    const scenario = await subscriptionScenario(june)
    const { events, orders } = await during(scenario, async () => {
      expect(await save(await aLink(scenario), {})).toEqual({ redirectTo: urls.redirectUrlSuccess })
    })
    expect({ events, orders }).toEqual({ events: [], orders: [] })
  })

  test.each(prototypeNames)(
    'no field of the billing update form crashes on %s, a name that JavaScript objects inherit',
    async (name) => {
      const token = await aLink(await subscriptionScenario(june))
      for (const field of ['taxId', 'postalCode', 'region', 'paymentMethod', 'timeZone', 'country']) {
        expect(await billingUpdateQuote(token, new URLSearchParams({ ...stored, [field]: name })), field).not.toBeNull()
        const typed = { country: 'FR', fullName: '', paymentMethod: 'creditcard', taxId: 'FR1', [field]: name }
        expect((await submitForm(token, typed))?.redirectTo, field).toMatch(/#problems$/)
        await openPage(token)
      }
    },
  )

  test('sending a billing update form twice, even concurrently, changes the subscription once', async () => {
    for (const concurrently of [false, true]) {
      const scenario = await subscriptionScenario(june)
      const token = await aLink(scenario)
      const { form, version } = await openPage(token)
      const body = new URLSearchParams({ ...form, version, paymentMethod: 'paypal' })
      const { events, orders } = await during(scenario, async () => {
        const first = submitBillingUpdate(token, body, visitor)
        if (!concurrently) await first
        const answers = await Promise.all([first, submitBillingUpdate(token, body, visitor)])
        const [next] = answers
        expect(next?.redirectTo).toMatch(/^\/pay\//)
        expect(answers).toEqual([next, next])
        expect(await onProvidersPage(next ?? null)).toEqual({ redirectTo: urls.redirectUrlSuccess })
        expect(await submitBillingUpdate(token, body, visitor)).toEqual({ redirectTo: urls.redirectUrlSuccess })
      })
      expect(events).toEqual(['subscription.billing_updated', 'order.paid'])
      expect(orders).toHaveLength(1)
      expect((await during(scenario, () => save(token, { paymentMethod: 'paypal' }))).orders).toHaveLength(1)
    }
  })
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

test('a subscription in pounds offers only the payment methods for pounds', async () => {
  const scenario = await subscriptionScenario({ ...june, buyer: { country: 'GB', currency: 'GBP', taxId: '' } })
  const token = await aLink(scenario)
  expect((await openPage(token)).methods).toEqual(['creditcard', 'paypal'])
  for (const paymentMethod of ['ideal', 'bancontact', 'directdebit'])
    expect(await submitForm(token, { paymentMethod })).toEqual({ redirectTo: `/billing-update/${token}#problems` })
  expect((await openPage(token)).problems).toEqual({ paymentMethod: { code: 'unavailable' } })
  expect((await save(token, { paymentMethod: 'paypal' }))?.redirectTo).toBe(urls.redirectUrlSuccess)
  expect(await subscriptionOf(scenario)).toMatchObject({
    mandate: { method: 'paypal' },
    basePrice: price('86.50', 'GBP'),
  })
  // A request cannot change the price of this subscription: the subscription is in pounds, but requests accept only prices in euros.
  const refused = await ask(scenario, 'PATCH /v1/subscriptions/{id}', { price: price('90.00', 'GBP') })
  expect(refused).toMatchObject({ status: 422, body: { errors: { 'price.currency': [expect.any(String)] } } })
  const foreign = await ask(scenario, 'PATCH /v1/subscriptions/{id}', { price: price('90.00') })
  expect(foreign.body.errors).toEqual({ 'price.currency': ["Must be the subscription's own currency, GBP."] })
})

test('if a billing update changes the tax within a period, the tax of the credit for unused time changes too', async () => {
  const scenario = await subscriptionScenario({ ...june, buyer: { taxId: '' } })
  await pass(scenario, 'P15D')
  await submitForm(await aLink(scenario), { ...stored, paymentMethod: 'keep' })
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, applyImmediately: true, invoiceImmediately: true })
  const [sale, change] = await ordersOf(scenario)
  expect([sale.total.value, sale.taxSummary[0].taxRate.name]).toEqual(['119.00', 'VAT'])
  const lines = change.lines.map(({ subtotal, taxes }: Answer) => [subtotal.value, taxes[0].taxRate.name])
  expect(lines).toEqual([
    ['-50.00', 'Reverse charge'],
    ['100.00', 'Reverse charge'],
  ])
  expect(change.total.value).toBe('50.00')
})
