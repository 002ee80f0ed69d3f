import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { saveBrand } from '../../modules/brand/operations.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { stopDrawing } from '../../modules/invoices/draw-documents.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { configure } from '../../testing/configure.ts'
import { read } from '../../testing/email-text.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMailServer } from '../../testing/mail-server.ts'
import { blackShape } from '../../testing/pictures.ts'
import { aShop, runDueTasks } from '../../testing/shop.ts'
import {
  ask,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

const server = await aMailServer()
configure({ SMTP_URL: server.url, MAIL_FROM: 'Lumen Billing <billing@lumen.example>', TEST_MAIL_TO: 'mail.example' })
afterAll(() => Promise.all([server.close(), stopDrawing()]))
beforeEach(() => server.forget())

const emailsOf = async ({ shop }: Pick<Scenario, 'shop'>) =>
  (await listEmails(shop.storefrontId)).reverse().map((each) => ({ ...each, text: read(each.text) }))

describe('a purchase', () => {
  test('one email in the language of the purchase confirms the payment and states the terms of the subscription', async () => {
    const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
    const key = shop.testKey
    const [plan, product] = [await factories.aPlan(key), await factories.aProduct(key)]
    const products = [
      { id: product.id, quantity: 2 },
      { id: plan.id, trialDays: 14 },
    ]
    const checkout = await factories.aCheckout(key, plan.id, { products, locale: 'de' })
    const { orderId } = await factories.pay(key, checkout)
    const emails = await emailsOf({ shop })
    expect(emails).toMatchObject([{ kind: 'receipt', to: 'ada@example.com', locale: 'de', status: 'kept', orderId }])
    for (const line of [
      'Guten Tag Ada,',
      'vielen Dank für Ihren Kauf bei Lumen Software. Ihre Zahlung über 59,29 € ist eingegangen.',
      '2 × Handbook: 49,00 €',
      '21 % USt.: 10,29 €',
      'Gesamtbetrag: 59,29 €',
      'Pro\nPreis: 12,10 € pro Monat, inklusive Steuer\nKostenlos bis zum: 15. Januar 2027\nNächste Abbuchung: 12,10 € am 15. Januar 2027',
    ])
      expect(emails[0]?.text).toContain(line)
    expect(emails[0]?.text).toMatch(/\nhttp:\/\/billhook\.test\/portal\/notice\/[\w-]{44}\n/)
  })

  test('the confirmation of a purchase and later emails use the time zone of the buyer’s browser', async () => {
    const shop = await aShop({ at: '2027-01-01T23:30:00Z' })
    const key = shop.testKey
    const plan = await factories.aPlan(key)
    const buy = async (more: Record<string, string>) => {
      const checkout = await factories.aCheckout(key, plan.id, { locale: 'en' })
      return factories.pay(key, checkout, more)
    }
    await buy({ timeZone: 'Europe/Warsaw' })
    await buy({ timeZone: 'Europe/Atlantis' })
    await buy({})
    const receipts = await emailsOf({ shop })
    for (const { text } of receipts) expect(text).toContain('on 2 February 2027')
    const [subscription] = (await get(key, '/v1/subscriptions')).data
    await send(`DELETE /v1/subscriptions/${subscription.id}`, { key })
    await runDueTasks()
    expect((await emailsOf({ shop })).at(-1)).toMatchObject({
      kind: 'cancellation',
      text: expect.stringContaining('2 January 2027 at 00:30 CET'),
    })
  })

  test('the confirmation of a purchase shows the brand that the storefront had at the time of purchase', async () => {
    const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
    const { brand } = await saveBrand(shop.storefrontId, {
      displayName: 'Northwind',
      logo: blackShape,
      accent: '#166534',
      supportEmail: 'help@northwind.example',
      termsUrl: 'https://northwind.example/terms',
      privacyUrl: 'https://northwind.example/privacy',
    })
    const plan = await factories.aPlan(shop.testKey)
    await factories.pay(shop.testKey, await factories.aCheckout(shop.testKey, plan.id, { locale: 'de' }))
    const sent = await emailsOf({ shop })
    for (const part of [
      'bei Northwind.',
      'Allgemeine Geschäftsbedingungen\nhttps://northwind.example/terms\n',
      'Haben Sie Fragen?\nhelp@northwind.example\n',
      'Datenschutz: https://northwind.example/privacy\n',
    ])
      expect(sent[0]?.text).toContain(part)
    expect(sent[0]?.html).toContain(`<img src="http://billhook.test/brand/${brand.logo?.hash}.png"`)
    expect(sent[0]?.html).toContain('background:#166534')
    await saveBrand(shop.storefrontId, { displayName: 'Other', logo: null, accent: '', supportEmail: '' })
    expect(await emailsOf({ shop })).toEqual(sent)
  })

  test('the confirmation of a purchase has no invoice if only a trial starts', async () => {
    const scenario = await subscriptionScenario({
      item: { trialDays: 30, quantity: 2 },
      buyer: { country: 'NL', taxId: '' },
      plan: { interval: 'year' },
    })
    const [email, ...more] = await emailsOf(scenario)
    expect(more).toEqual([])
    expect(email).toMatchObject({
      kind: 'subscription_confirmation',
      orderId: null,
      subject: 'Your order at Lumen Software',
    })
    expect(email?.text).toContain(
      '\n2 × Pro\nPrice: €242.00 every year, including tax\nFree until: 31 January 2027\nNext charge: €242.00 on 31 January 2027\n',
    )
  })

  test('a purchase of 0.00 without a subscription causes no email', async () => {
    const shop = await aShop()
    const free = await factories.aProduct(shop.testKey, { basePrice: factories.price('0.00') })
    await factories.pay(shop.testKey, await factories.aCheckout(shop.testKey, free.id))
    expect(await emailsOf({ shop })).toEqual([])
  })

  test('the confirmation of a purchase by a known customer is sent to the entered address', async () => {
    const shop = await aShop()
    const key = shop.testKey
    const customer = await factories.aCustomer(key, { email: 'known@example.com' })
    const product = await factories.aProduct(key)
    const checkout = await factories.aCheckout(key, product.id, { customerId: customer.id })
    await factories.pay(key, checkout, { email: 'typed@example.com' })
    expect((await emailsOf({ shop })).map(({ to }) => to)).toEqual(['typed@example.com'])
  })
})

describe('a renewal', () => {
  test('a renewal causes a separate receipt in the language that the customer last chose', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    await db().customers.update({ where: { id: scenario.customerId }, data: { locale: 'pl' } })
    await pass(scenario, 'P1M')
    const [sale, renewal, ...more] = await emailsOf(scenario)
    expect(more).toEqual([])
    expect([sale?.locale, renewal?.locale]).toEqual(['en', 'pl'])
    const [first, second] = await ordersOf(scenario)
    expect([sale?.orderId, renewal?.orderId]).toEqual([first.id, second.id])
    expect(renewal?.createdAt.toISOString()).toMatch(/^2027-02-01T00:00/)
    expect(renewal?.subject).toMatch(/^Otrzymaliśmy płatność za Pro: faktura TEST-INV-2027-000002$/)
    expect(renewal?.text).toContain('Następna płatność: 121,00 €, 1 marca 2027')
    expect(await brokenInvariants()).toEqual({})
  })

  test('the receipt of a renewal after a recovery says that the subscription continues', async () => {
    const scenario = await subscriptionScenario()
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    await declineMandate(scenario.id, null)
    await pass(scenario, untilFirstRetry)
    const emails = await emailsOf(scenario)
    expect(emails.map(({ kind }) => kind)).toEqual(['receipt', 'payment_failed', 'payment_recovered'])
    expect(emails[2]?.orderId).toBe((await ordersOf(scenario)).at(-1).id)
    expect(emails[2]?.text).toContain('has now gone through. Your subscription continues as before.')
    expect(emails[2]?.text).toContain('Next charge: €100.00 on 1 March 2027')
  })

  test('the receipt of a renewal after a recovery does not say that a canceled subscription continues', async () => {
    const scenario = await subscriptionScenario()
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await declineMandate(scenario.id, null)
    await pass(scenario, untilFirstRetry)
    const renewal = (await ordersOf(scenario)).at(-1)
    expect(renewal.status).toBe('paid')
    const emails = (await emailsOf(scenario)).filter(({ orderId }) => orderId === renewal.id)
    expect(emails.map(({ kind }) => kind)).toEqual(['receipt'])
    expect(emails[0]?.text).not.toContain('continues as before')
  })

  test('between the confirmation of a purchase and the renewal, no receipt is sent', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P20D')
    expect(await emailsOf(scenario)).toHaveLength(1)
  })

  test('no receipt is sent for an unpaid renewal, even after the recovery ends', async () => {
    const scenario = await subscriptionScenario()
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    expect((await ordersOf(scenario)).at(-1).status).toBe('pending')
    expect((await emailsOf(scenario)).map(({ kind }) => kind)).toEqual(['receipt', 'payment_failed'])
    await pass(scenario, 'P27D')
    expect((await ordersOf(scenario)).at(-1).status).toBe('canceled')
    const kinds = (await emailsOf(scenario)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'receipt' || kind === 'payment_recovered')).toEqual(['receipt'])
  })
})

test('a receipt has the invoice as PDF, which is created when the receipt is sent', async () => {
  const { shop } = await subscriptionScenario({ buyer: { email: 'ada@mail.example' } })
  await runDueTasks()
  const [email] = await emailsOf({ shop })
  expect(email).toMatchObject({ status: 'sent', to: 'ada@mail.example' })
  const raw = server.taken.at(-1)?.raw ?? ''
  expect(raw).toMatch(/filename=TEST-INV-2027-000001\.pdf/)
  const pdf = /Content-Type: application\/pdf[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw)?.[1] ?? ''
  const file = await getDocument({ data: new Uint8Array(Buffer.from(pdf, 'base64')), verbosity: 0 }).promise
  const { items } = await (await file.getPage(1)).getTextContent()
  expect(items.map((item) => ('str' in item ? item.str : '')).join(' ')).toContain('TEST-INV-2027-000001')
  await db().storefronts.update({ where: { id: shop.storefrontId }, data: { name: 'Renamed' } })
  expect((await emailsOf({ shop }))[0]?.text).toBe(email?.text)
})
