import { afterAll, describe, expect, test } from 'vitest'
import { toWire } from '../../kernel/moment.ts'
import { invoiceView } from '../../modules/invoices/load-invoice.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import {
  aLink,
  aSale,
  filled,
  openPage,
  orderOf,
  type Sale,
  save,
  saved,
  versionsOf,
} from '../../testing/invoice-update.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { prototypeNames } from '../../testing/prototype-names.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { eventsOf, tokenOf } from '../../testing/shop.ts'
import {
  clockTo,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { invoiceUpdatePage } from './load-invoice-update.ts'
import { invoiceVersions } from './operations.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const refused = { redirectTo: expect.stringMatching(/^\/invoice-update\/[0-9A-Za-z_-]{44}#problems$/) }

async function paidAt({ orderId }: Sale): Promise<Date> {
  const { paid_at } = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
  return paid_at ?? new Date(0)
}

async function invoiceOf(sale: Sale) {
  const document = (await invoiceView(tokenOf((await orderOf(sale)).links.customerInvoice.href)))?.document
  return { facts: document?.facts.map(({ value }) => value), buyer: document?.parties[1], total: document?.total.value }
}

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

  test('the page of an invoice update reports all problems in one response and keeps the entered values', async () => {
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
      for (const fields of [['country'], ['taxId', 'postalCode', 'region']]) {
        const typed = Object.fromEntries(fields.map((field) => [field, name]))
        expect(await save(token, { fullName: '', taxId: 'DE1', ...typed }), `${fields} ${name}`).toEqual(refused)
        await openPage(token)
      }
    }
  })

  test('sending an earlier invoice update form again does not undo later updates', async () => {
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

  test('each of three invoice update forms that are submitted concurrently creates one invoice version', async () => {
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
