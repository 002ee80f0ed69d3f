import { afterAll, describe, expect, test } from 'vitest'
import {
  aLink,
  attemptsOf,
  during,
  openPage,
  renewal,
  save,
  stored,
  submitForm,
  urls,
  verification,
  visitor,
} from '../../testing/billing-update.ts'
import { aCheckout, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import type { Answer } from '../../testing/shop.ts'
import { june } from '../../testing/subscription-events.ts'
import { ask, get, ordersOf, pass, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { billingUpdateQuote, loadBillingUpdate } from './load-billing-update.ts'
import { submitBillingUpdate } from './submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

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

  test('the billing update form shows the tax ID state and the next charge for the entered details', async () => {
    const scenario = await subscriptionScenario(june)
    const token = await aLink(scenario)
    const cases = [
      [{ country: 'DE', taxId: 'DE2' }, 'reverse_charge', '100.00'],
      [{ country: 'NL', taxId: 'NL1' }, 'domestic', '121.00'],
      [{ country: 'FR', taxId: 'DE1' }, 'not_confirmed', '120.00'],
      [{ country: 'FR' }, 'none', '120.00'],
      [{ country: '', taxId: 'NL1' }, 'none', '100.00'],
      [{ country: 'ZZ', taxId: 'ZZ1' }, 'none', '100.00'],
    ] as const
    const quoteOf = (typed: Record<string, string>, link = token) =>
      billingUpdateQuote(link, new URLSearchParams(typed))
    for (const [typed, taxId, value] of cases) {
      const companyDetails = taxId === 'reverse_charge' ? 'asked' : 'optional'
      const quoted = { taxId, nextCharge: { total: { value } }, companyDetails }
      expect(await quoteOf(typed), JSON.stringify(typed)).toMatchObject(quoted)
      expect((await openPage(token)).form).toMatchObject(stored)
      expect(await quoteOf(typed, `${token}x`)).toBeNull()
    }
    await pass(scenario, 'P2D')
    for (const [typed] of cases) expect(await quoteOf(typed)).toBeNull()
  })

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

  test('the billing update form has the language of the checkout, or of the visitor if the checkout has no language', async () => {
    const scenario = await subscriptionScenario(june)
    expect(visitor.acceptLanguage).toBe('de')
    expect(await openPage(await aLink(scenario))).toMatchObject({ locale: 'de' })
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

  test('the billing update form reports all problems in one response and keeps all entered values', async () => {
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

  test('the billing update form refuses the payment methods "banktransfer", "paybybank", and ""', async () => {
    const token = await aLink(await subscriptionScenario(june))
    for (const paymentMethod of ['banktransfer', 'paybybank', '']) {
      expect((await save(token, { paymentMethod }))?.redirectTo, paymentMethod).toMatch(/#problems$/)
      expect(Object.keys((await openPage(token)).problems), paymentMethod).toEqual(['paymentMethod'])
    }
  })
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

  test('the billing update form does not crash if its fields contain names that JavaScript objects inherit', async () => {
    const token = await aLink(await subscriptionScenario(june))
    for (const name of prototypeNames)
      for (const fields of [['taxId', 'postalCode', 'region', 'timeZone'], ['paymentMethod'], ['country']]) {
        const typed = Object.fromEntries(fields.map((field) => [field, name]))
        const form = { country: 'FR', fullName: '', paymentMethod: 'creditcard', taxId: 'FR1', ...typed }
        expect(await billingUpdateQuote(token, new URLSearchParams({ ...stored, ...typed })), name).not.toBeNull()
        expect((await submitForm(token, form))?.redirectTo, `${fields} ${name}`).toMatch(/#problems$/)
        await openPage(token)
      }
  })

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

test('the billing update form of a subscription in pounds offers only payment methods for pounds', async () => {
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
