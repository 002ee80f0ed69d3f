import { afterAll, describe, expect, test } from 'vitest'
import { toWire } from '../../kernel/moment.ts'
import { invoiceView } from '../../modules/invoices/load-invoice.ts'
import { db } from '../../platform/db/db.ts'
import { visitorOf } from '../../platform/http/visitor.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aProduct, checkOut, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, type Shop, tokenOf } from '../../testing/shop.ts'
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
import { invoiceUpdatePage, loadInvoiceUpdate } from './load-invoice-update.ts'
import { invoiceVersions } from './operations.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

const statusOf = async (token: string) =>
  (await loadInvoiceUpdate(token, visitorOf(new Headers()), new URLSearchParams())).status

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Answer = any

interface Sale {
  readonly key: string
  readonly orderId: string
}

async function aSale(buyer: object = {}, options: object = {}): Promise<Sale & { shop: Shop }> {
  const shop = await aShop({ at: '2027-12-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aProduct(key)
  const checkout = await pay(key, await aCheckout(key, id, options), { country: 'DE', ...buyer })
  await drainTasks()
  return { key, orderId: checkout.orderId, shop }
}

const firstOrder = async (scenario: Scenario): Promise<Sale> => ({
  key: scenario.key,
  orderId: (await ordersOf(scenario))[0].id,
})

const asking = ({ key, orderId }: Sale) => send(`POST /v1/orders/${orderId}/invoice-update-link`, { key })

async function aLink(sale: Sale): Promise<string> {
  const reply = await asking(sale)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  expect(reply.body).toEqual({
    href: expect.stringMatching(/^http:\/\/billhook\.test\/invoice-update\/[0-9A-Za-z_-]{44}$/),
    type: 'text/html',
  })
  return tokenOf(reply.body.href)
}

async function openPage(token: string) {
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  expect(await statusOf(token)).toBe(200)
  return page
}

async function filled(token: string, typed: Record<string, string>): Promise<URLSearchParams> {
  const { form, version } = await openPage(token)
  return new URLSearchParams({ ...form, version, ...typed })
}

const save = async (token: string, typed: Record<string, string>) =>
  submitInvoiceUpdate(token, await filled(token, typed))

const saved = { redirectTo: expect.stringMatching(/^\/invoice-update\/[0-9A-Za-z_-]{44}\?saved$/) }
const refused = { redirectTo: expect.stringMatching(/^\/invoice-update\/[0-9A-Za-z_-]{44}#problems$/) }
const orderOf = ({ key, orderId }: Sale): Promise<Answer> => get(key, `/v1/orders/${orderId}`)
async function paidAt({ orderId }: Sale): Promise<Date> {
  const { paid_at } = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
  return paid_at ?? new Date(0)
}

async function invoiceOf(sale: Sale) {
  const document = (await invoiceView(tokenOf((await orderOf(sale)).links.customerInvoice.href)))?.document
  return { facts: document?.facts.map(({ value }) => value), buyer: document?.parties[1], total: document?.total.value }
}
const versionsOf = async ({ orderId }: Sale) =>
  (await invoiceVersions(orderId)).map(({ version, current, companyName, city }) => ({
    version,
    current,
    companyName,
    city,
  }))

describe('the page of an invoice update', () => {
  test('the page of an invoice update shows the invoice and the buyer’s details', async () => {
    const sale = await aSale({ city: 'Berlin', companyName: 'Engines GmbH' }, { locale: 'pl' })
    const { invoiceNumber } = await orderOf(sale)
    const page = await openPage(await aLink(sale))
    expect(page).toMatchObject({
      locale: 'pl',
      testmode: true,
      storefrontName: 'Lumen Software',
      document: 'invoice',
      number: invoiceNumber,
      issuedAt: toWire(await paidAt(sale)),
      total: { value: '29.16', currency: 'EUR' },
      form: { fullName: 'Ada', city: 'Berlin', companyName: 'Engines GmbH', country: 'DE', useForLaterOrders: '' },
      problems: {},
      needsTaxId: false,
    })
    expect(Object.keys(page.form)).not.toContain('email')
    expect((await invoiceView(tokenOf(page.invoiceUrl)))?.document).toMatchObject({ number: invoiceNumber })
  })

  test('the page of an invoice update reports all problems in one response and keeps the typed values', async () => {
    const sale = await aSale()
    const before = await orderOf(sale)
    const token = await aLink(sale)
    const typed = {
      fullName: ' ',
      city: 'Bonn ',
      companyName: 'x'.repeat(256),
      taxId: 'NL1',
      useForLaterOrders: 'true',
    }
    expect(await save(token, { ...typed, country: 'NL' })).toEqual(refused)
    const page = await openPage(token)
    expect(page.problems).toEqual({
      fullName: { code: 'required' },
      companyName: { code: 'too_long', limit: 255 },
      taxId: { code: 'invalid' },
      country: { code: 'unavailable' },
    })
    expect(page.form).toMatchObject({ ...typed, fullName: '', city: 'Bonn', country: 'DE' })
    expect(await invoiceUpdatePage(token, 'saved')).toMatchObject({ state: 'open', problems: page.problems })
    expect(await orderOf(sale)).toEqual(before)
    expect(await save(token, { fullName: 'Ada', companyName: '', taxId: 'DE1' })).toEqual(saved)
    expect((await orderOf(sale)).customerDetails).toMatchObject({ city: 'Bonn', taxId: 'DE1', companyName: null })
  })

  test('an invoice update with a reverse charge requires a tax ID in the format of its country', async () => {
    const sale = await aSale({ taxId: 'DE1' })
    expect((await orderOf(sale)).taxSummary).toMatchObject([{ taxRate: { name: 'Reverse charge' } }])
    const token = await aLink(sale)
    expect(await openPage(token)).toMatchObject({ needsTaxId: true })
    for (const [taxId, code] of Object.entries({ '': 'required', NL1: 'invalid' })) {
      expect(await save(token, { taxId })).toEqual(refused)
      expect((await openPage(token)).problems).toEqual({ taxId: { code } })
    }
    expect(await save(token, { taxId: '\u200eDE\u20132 \u200b' })).toEqual(saved)
    expect((await orderOf(sale)).customerDetails.taxId).toBe('DE2')
  })

  test('an invoice update form refuses to keep an invalid tax ID, but accepts its removal', async () => {
    const sale = await aSale({ taxId: 'X1' })
    const token = await aLink(sale)
    expect(await save(token, { city: 'Bonn' })).toEqual(refused)
    expect(await save(token, { taxId: '' })).toEqual(saved)
    expect((await orderOf(sale)).customerDetails).toMatchObject({ city: 'Bonn', taxId: null })
  })
})

describe('an invoice update', () => {
  test('an invoice update changes only the details on the order and the invoice, and emits no event', async () => {
    const sale = await aSale({ email: 'ada@example.com', country: 'NL' })
    const [before, issued] = [await orderOf(sale), await invoiceOf(sale)]
    const eventsBefore = await eventsOf(sale.shop)
    await clockTo(sale.key, '2028-01-31T10:00:00Z')
    const token = await aLink(sale)
    const typed = {
      companyName: 'Engines GmbH',
      taxId: 'NL123456789B01',
      streetAndNumber: 'Lindenallee 12',
      streetAdditional: 'Hof',
      postalCode: '1015 CN',
      city: 'Amsterdam',
      region: 'Noord-Holland',
    }
    expect(await save(token, { ...typed, email: 'eve@example.com' })).toEqual(saved)

    const after = await orderOf(sale)
    expect(after).toEqual({ ...before, customerDetails: { ...before.customerDetails, ...typed } })
    expect(after.customerDetails.email).toBe('ada@example.com')
    expect(await invoiceOf(sale)).toEqual({
      facts: issued.facts?.toSpliced(3, 0, '31\u00a0January\u00a02028'),
      buyer: {
        ...issued.buyer,
        name: 'Engines GmbH',
        lines: [
          'Ada',
          'Lindenallee 12',
          'Hof',
          '1015 CN Amsterdam',
          'Noord-Holland',
          'Netherlands',
          'VAT or tax ID NL123456789B01',
          'ada@example.com',
        ],
      },
      total: issued.total,
    })
    await drainTasks()
    expect(await eventsOf(sale.shop)).toEqual(eventsBefore)
  })

  test('an invoice update leads to a confirmation page, and the form can be used until the link expires', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    await save(token, { city: 'Bonn' })
    const done = await invoiceUpdatePage(token, 'saved')
    if (done?.state !== 'done') throw new Error(`the page is ${done?.state}`)
    expect(done).toMatchObject({ number: (await orderOf(sale)).invoiceNumber, alsoLater: false })
    expect((await invoiceView(tokenOf(done.invoiceUrl)))?.document?.parties[1]?.lines).toContain('Bonn')
    expect(await openPage(tokenOf(done.formUrl))).toMatchObject({ form: { city: 'Bonn' }, problems: {} })
    expect(await save(token, { city: 'Ulm' })).toEqual(saved)
    expect((await orderOf(sale)).customerDetails.city).toBe('Ulm')
  })

  test('an invoice update stores the previous details as a version with a start time', async () => {
    const sale = await aSale({ city: 'Berlin' })
    const { customerDetails } = await orderOf(sale)
    const token = await aLink(sale)
    await save(token, { companyName: 'Engines GmbH' })
    const first = await invoiceVersions(sale.orderId)
    await pass({ key: sale.key } as Scenario, 'PT1H')
    await save(token, { companyName: 'Engines AG', city: 'Bonn' })
    expect(await versionsOf(sale)).toEqual([
      { version: 1, current: false, companyName: null, city: 'Berlin' },
      { version: 2, current: false, companyName: 'Engines GmbH', city: 'Berlin' },
      { version: 3, current: true, companyName: 'Engines AG', city: 'Bonn' },
    ])
    const versions = await invoiceVersions(sale.orderId)
    expect(versions[0]).toEqual({ version: 1, issuedAt: await paidAt(sale), current: false, ...customerDetails })
    const [, second, third] = versions
    expect(second).toEqual({ ...first[1], current: false })
    expect(Number(third?.issuedAt) - Number(second?.issuedAt)).toBeGreaterThanOrEqual(3_600_000)
  })

  test('an invoice update without a change creates no version and no update date', async () => {
    const sale = await aSale({ city: 'Berlin' })
    const issued = await invoiceOf(sale)
    const token = await aLink(sale)
    expect(await save(token, {})).toEqual(saved)
    expect(await versionsOf(sale)).toEqual([{ version: 1, current: true, companyName: null, city: 'Berlin' }])
    expect(await invoiceOf(sale)).toEqual(issued)
  })

  test('an invoice update of an earlier order does not change later orders', async () => {
    const scenario = await subscriptionScenario()
    await clockTo(scenario.key, '2027-02-01T00:01:00Z')
    const [first, renewal] = await ordersOf(scenario)
    await save(await aLink({ key: scenario.key, orderId: first.id }), { city: 'Bonn' })
    expect(await ordersOf(scenario)).toEqual([
      { ...first, customerDetails: { ...first.customerDetails, city: 'Bonn' } },
      renewal,
    ])
  })
})

describe('an update of a credit note', () => {
  test('a credit note and its invoice have separate links and separate details', async () => {
    const sale = await aSale({ city: 'Berlin' })
    const refund = await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
    await pass({ key: sale.key } as Scenario, 'PT2M')
    const { orderId } = await get(sale.key, `/v1/refunds/${refund.body.id}`)
    const note = { key: sale.key, orderId }
    await save(await aLink(sale), { city: 'Bonn' })
    expect((await orderOf(note)).customerDetails.city).toBe('Berlin')

    const token = await aLink(note)
    const { invoiceNumber } = await orderOf(note)
    expect(invoiceNumber).toMatch(/^TEST-CN-/)
    expect(await openPage(token)).toMatchObject({ document: 'creditNote', number: invoiceNumber })
    expect(await save(token, { city: 'Ulm' })).toEqual(saved)
    expect((await versionsOf(note)).map(({ city }) => city)).toEqual(['Berlin', 'Ulm'])
    expect((await invoiceOf(note)).buyer?.lines).toContain('Ulm')
    expect((await orderOf(sale)).customerDetails.city).toBe('Bonn')
  })

  test('a credit note issued after an update has the updated details', async () => {
    const sale = await aSale({ city: 'Berlin' })
    await save(await aLink(sale), { city: 'Bonn' })
    const refund = await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
    await pass({ key: sale.key } as Scenario, 'PT2M')
    const { orderId } = await get(sale.key, `/v1/refunds/${refund.body.id}`)
    expect((await orderOf({ ...sale, orderId })).customerDetails.city).toBe('Bonn')
    expect(await versionsOf({ ...sale, orderId })).toMatchObject([{ version: 1, current: true, city: 'Bonn' }])
  })
})

describe('a form of an invoice update', () => {
  test('sending an invoice update form twice, even concurrently, changes the invoice once', async () => {
    for (const concurrently of [false, true]) {
      const sale = await aSale({ city: 'Berlin' })
      const token = await aLink(sale)
      const body = await filled(token, { city: 'Bonn' })
      if (concurrently) {
        const link = await db().invoice_update_links.findFirstOrThrow({ where: { order_id: sale.orderId } })
        const racers = [1, 2, 3].map(() => () => submitInvoiceUpdate(token, body))
        const ends = await raceBehind(lockOn('invoice_update_links', link.id), racers)
        for (const end of ends) expect(end).toEqual({ status: 'fulfilled', value: saved })
      } else {
        for (const _ of [1, 2]) expect(await submitInvoiceUpdate(token, body)).toEqual(saved)
      }
      expect((await versionsOf(sale)).map(({ city }) => city)).toEqual(['Berlin', 'Bonn'])
    }
  })

  test('an inherited JavaScript property name, such as "constructor", in any field of an invoice update form causes no failure', async () => {
    const token = await aLink(await aSale({ city: 'Berlin' }))
    for (const name of prototypeNames) {
      for (const field of ['country', 'taxId', 'postalCode', 'region']) {
        expect(await save(token, { fullName: '', taxId: 'DE1', [field]: name }), `${field} ${name}`).toEqual(refused)
        await openPage(token)
      }
    }
  })

  test('a repeated form of an invoice update does not undo later updates', async () => {
    const sale = await aSale({ city: 'Berlin' })
    const [token, other] = [await aLink(sale), await aLink(sale)]
    const body = await filled(token, { city: 'Bonn' })
    expect(await submitInvoiceUpdate(token, body)).toEqual(saved)
    expect(await save(other, { city: 'Ulm' })).toEqual(saved)
    expect(await submitInvoiceUpdate(token, body)).toEqual(saved)
    expect((await versionsOf(sale)).map(({ city }) => city)).toEqual(['Berlin', 'Bonn', 'Ulm'])
    expect(await save(token, { city: 'Bonn' })).toEqual(saved)
    expect((await orderOf(sale)).customerDetails.city).toBe('Bonn')
  })

  test('concurrent submissions of the forms of three invoice update links create one invoice version each', async () => {
    const sale = await aSale({ city: 'Berlin' })
    const bodies: [string, URLSearchParams][] = []
    for (const city of ['Bonn', 'Ulm', 'Köln']) {
      const token = await aLink(sale)
      bodies.push([token, await filled(token, { city })])
    }
    const ends = await raceBehind(
      lockOn('orders', sale.orderId),
      bodies.map(
        ([token, body]) =>
          () =>
            submitInvoiceUpdate(token, body),
      ),
    )
    for (const end of ends) expect(end).toEqual({ status: 'fulfilled', value: saved })
    const versions = await versionsOf(sale)
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4])
    expect(versions[0]?.city).toBe('Berlin')
    expect(versions.map(({ city }) => city).sort()).toEqual(['Berlin', 'Bonn', 'Köln', 'Ulm'])
    expect((await orderOf(sale)).customerDetails.city).toBe(versions[3]?.city)
  })
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

  test('useForLaterOrders changes every ongoing subscription of the customer, with one event each', async () => {
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

describe('a link for an invoice update', () => {
  test('an invoice update link is valid for 24 hours on the storefront’s clock', async () => {
    const sale = await aSale()
    const scenario = { key: sale.key } as Scenario
    const token = await aLink(sale)
    const form = await filled(token, { city: 'Bonn' })
    await pass(scenario, 'PT23H59M')
    await openPage(token)
    await pass(scenario, 'PT1M')
    const before = await orderOf(sale)
    expect(await statusOf(token)).toBe(410)
    for (const view of ['form', 'saved'] as const)
      expect(await invoiceUpdatePage(token, view)).toMatchObject({ state: 'expired' })
    expect(await submitInvoiceUpdate(token, form)).toEqual({ redirectTo: `/invoice-update/${token}` })
    expect(await orderOf(sale)).toEqual(before)
    await openPage(await aLink(sale))
  })

  test('an invoice update link keeps the typed values until the link expires', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    await submitInvoiceUpdate(token, await filled(token, { fullName: '', city: 'Bonn' }))
    const drafts = async () => {
      const links = await db().invoice_update_links.findMany({ where: { order_id: sale.orderId } })
      return links.map(({ draft }) => draft !== null)
    }
    await housekeeping()
    expect(await drafts()).toEqual([true])
    await pass(sale, 'P1D')
    await pass(sale, 'PT1S')
    await housekeeping()
    expect(await drafts()).toEqual([false])
  })

  test('an unknown invoice update link is not found', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const invoice = tokenOf((await orderOf(sale)).links.customerInvoice.href)
    for (const wrong of ['', 'x', altered, `${token}A`, invoice]) {
      expect(await statusOf(wrong)).toBe(404)
      expect(await invoiceUpdatePage(wrong, 'form')).toBeNull()
      expect(await submitInvoiceUpdate(wrong, new URLSearchParams())).toBeNull()
    }
  })

  test('an invoice update link is not stored in clear text', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    const rows = await db().$queryRaw<{ row: string }[]>`
      SELECT to_jsonb(l)::text AS row FROM invoice_update_links l
      UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k UNION ALL SELECT to_jsonb(t)::text FROM tasks t`
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ row }) => row).join()).not.toContain(token.slice(-22))
  })

  test('an invoice update link is refused for an unknown order and for an order of another tenant', async () => {
    const sale = await aSale()
    const other = await aShop()
    const { liveKey } = await aShop()
    for (const [key, orderId] of [
      [sale.key, `order_${'0'.repeat(22)}`],
      [sale.key, 'order_1'],
      [other.testKey, sale.orderId],
      [liveKey, sale.orderId],
    ] as const) {
      expect(await asking({ key, orderId })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await db().invoice_update_links.count({ where: { order_id: sale.orderId } })).toBe(0)
  })

  test('an invoice update link is refused for an unpaid order and for an order of 0.00', async () => {
    const trial = await subscriptionScenario({ item: { trialDays: 14 } })
    const scenario = await subscriptionScenario()
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
    const [, pending] = await ordersOf(scenario)
    expect(pending).toMatchObject({ status: 'pending' })
    for (const sale of [await firstOrder(trial), { key: scenario.key, orderId: pending.id }]) {
      const reply = await asking(sale)
      expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(reply.body.errors).toEqual({ orderId: [expect.stringContaining('no invoice')] })
      await expect(invoiceVersions(sale.orderId)).rejects.toMatchObject({
        on: { order: ['The order has no invoice.'] },
      })
    }
  })

  test('repeating a request for an invoice update link with its idempotency key returns the same link', async () => {
    const sale = await aSale()
    const again = () =>
      send(`POST /v1/orders/${sale.orderId}/invoice-update-link`, {
        key: sale.key,
        headers: { 'Idempotency-Key': 'one' },
      })
    const [first, second] = [await again(), await again()]
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(await db().invoice_update_links.count({ where: { order_id: sale.orderId } })).toBe(1)
  })
})

test('the versions of an unknown order are not found', async () => {
  await expect(invoiceVersions(`order_${'0'.repeat(22)}`)).rejects.toMatchObject({
    code: 'validation_failed',
    on: { order: ['There is no order with this id.'] },
  })
})
