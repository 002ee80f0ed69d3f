import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { exportEvidence, orderPage } from '../../admin/pages.ts'
import { approveReview } from '../../modules/catalog/operations.ts'
import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { transact } from '../../modules/events/transact.ts'
import { drawFactSheet } from '../../modules/invoices/pdf/fact-sheet.ts'
import { eraseDocumentsBefore } from '../../modules/personal-data/store.ts'
import { taxIdsOf } from '../../modules/personal-data/tax-ids.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import { keptEvidence } from '../../modules/tax/kept-evidence.ts'
import { addRegistration, endRegistration, listRegistrations } from '../../modules/tax/operations.ts'
import { quarterOf } from '../../modules/tax/rules/index.ts'
import * as config from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { writeClientAddress } from '../../platform/http/client-address.ts'
import { resetHmrc } from '../../providers/hmrc/client.ts'
import { resetVies } from '../../providers/vies/client.ts'
import { send } from '../../testing/api.ts'
import { countryDatabase } from '../../testing/country-database.ts'
import { read } from '../../testing/email-text.ts'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMember } from '../../testing/operator.ts'
import { atSecondProvider, takePaymentsAtSecondProvider } from '../../testing/second-provider.ts'
import { aShop, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { startHmrc } from '../../testing/stand-ins/hmrc.ts'
import { startVies, type Vies } from '../../testing/stand-ins/vies.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { erase } from '../erasure/operations.ts'
import { invoiceUpdatePage } from '../invoice-update/load-invoice-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { quote } from '../sale/load-quote.ts'
import { submit } from '../sale/submit-checkout.ts'
import { evidencePack } from '../tax-evidence/pack.ts'
import { evidenceSheet } from '../tax-evidence/sheet.ts'
import { ossReturnOf, salesListFor, taxTotalsFor, thresholdsOfYear } from '../tax-returns/operations.ts'
import { askAgainLater } from './ask-again-later.ts'
import { askAgain } from './check.ts'

takePaymentsAtSecondProvider('live')

let shop: Shop
let vies: Vies
let planId: string

const german = { country: 'DE', taxId: 'DE136695976' }
const company = { companyName: 'Beispiel GmbH', streetAndNumber: 'Weg 1', postalCode: '10115', city: 'Berlin' }
const buyer = { email: 'ada@example.com', fullName: 'Ada', paymentMethod: 'creditcard' }
const visitor = { acceptLanguage: 'en', header: (name: string) => (name === 'cf-ipcountry' ? 'DE' : null) }

function configured({ acceptsUnknown = false, ...given }: { acceptsUnknown?: boolean } & Partial<config.Config> = {}) {
  const real = config.readConfig(process.env)
  const live = { vies: { apiBase: vies.url, acceptsUnknown }, geoHeader: 'cf-ipcountry', ...given }
  vi.spyOn(config, 'config').mockReturnValue({ ...real, ...live })
}

beforeAll(async () => {
  shop = await aShop()
  vies = await startVies()
  ;({ id: planId } = await aPlan(shop.liveKey, { basePrice: price('100.00') }))
  await approveReview(planId)
})

afterAll(() => vies.close())

beforeEach(async () => {
  resetVies()
  vies.fail(null)
  configured()
  await db().tax_id_checks.deleteMany()
  await db().tasks.deleteMany({ where: { name: 'tax.check_id' } })
})

async function aSale() {
  const checkout = await aCheckout(shop.liveKey, planId)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const ask = async (form: Record<string, string>) => {
    const found = await quote(token, new URLSearchParams(form), visitor)
    if (!found) throw new Error('there is no quote')
    const [tax] = found.taxes
    return { ...found, tax: `${tax?.name} ${tax?.percentage}`, total: found.total.value }
  }
  // A buyer must confirm a country that differs from the country of the IP address, so each form confirms its country.
  const pay = (form: Record<string, string>) =>
    submit(token, new URLSearchParams({ ...buyer, confirmCountry: form.country ?? '', ...form }), visitor)
  const order = () => db().orders.findUnique({ where: { checkout_id: checkout.id } })
  return { checkout, token, ask, pay, order }
}

async function decideLast(outcome: Parameters<typeof atSecondProvider.decide>[1]): Promise<void> {
  const ref = atSecondProvider.payments().at(-1)?.ref ?? ''
  atSecondProvider.decide(ref, outcome)
  await syncWithProvider({ storefrontId: shop.storefrontId, testmode: false }, ref)
}

async function invoiceToken(order: { id: string } | null): Promise<string> {
  const link = await send(`POST /v1/orders/${order?.id}/invoice-update-link`, { key: shop.liveKey })
  expect(link.status, JSON.stringify(link.body)).toBe(200)
  return tokenOf(link.body.href)
}

const registered = () =>
  vies.register({ countryCode: 'DE', vatNumber: '136695976', name: 'Beispiel GmbH', address: 'Berlin' })
const tasks = () => db().tasks.findMany({ where: { name: 'tax.check_id', storefront_id: shop.storefrontId } })

describe('the tax of a sale in live mode', () => {
  it.each([
    [{ country: 'DE' }, 'VAT 19', '119.00'],
    [{ country: 'PT', postalCode: '9000-001' }, 'VAT 22', '122.00'],
    [{ country: 'ES', postalCode: '35001' }, 'Outside scope 0', '100.00'],
    [{ country: 'US' }, 'Outside scope 0', '100.00'],
  ])('the tax of a live sale to the address %j is %s', async (form, tax, total) => {
    const { ask } = await aSale()
    expect(await ask({ postalCode: '', ...form } as Record<string, string>)).toMatchObject({ tax, total })
  })

  it('a confirmed VAT ID reverses the charge, and requires a company name and an address', async () => {
    registered()
    const sale = await aSale()
    expect(await sale.ask(german)).toMatchObject({
      tax: 'Reverse charge 0',
      total: '100.00',
      registeredName: 'Beispiel GmbH',
      companyDetails: 'required',
    })
    await sale.pay(german)
    const page = await checkoutPage(sale.token, visitor)
    expect(page).toMatchObject({ state: 'open', problems: { companyName: { code: 'required' } } })
    expect(await sale.order()).toBeNull()

    await sale.pay({ ...german, ...company })
    const order = await sale.order()
    expect(order).toMatchObject({ total: 10_000n, tax_summary: [{ name: 'Reverse charge', percentage: '0' }] })
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({
      declaredCountry: 'DE',
      postalCode: '10115',
      ipCountry: 'DE',
      paymentCountry: null,
      taxReason: 'reverse_charge',
      taxIdCheck: {
        taxId: 'DE136695976',
        result: 'valid',
        name: 'Beispiel GmbH',
        address: 'Berlin',
        checkoutId: sale.checkout.id,
        source: 'vies',
      },
      laterTaxIdCheck: null,
    })
    expect(await tasks()).toEqual([])
  })

  it('a VAT ID with pasted invisible characters reverses the charge and is stored without them', async () => {
    registered()
    const sale = await aSale()
    const pasted = '\u200eDE 136\u2013695\u2013976\u200b'
    expect(await sale.ask({ country: 'DE', taxId: pasted })).toMatchObject({ tax: 'Reverse charge 0' })
    await sale.pay({ ...company, country: 'DE', taxId: pasted })
    expect((await sale.order())?.customer_details).toMatchObject({ taxId: 'DE136695976' })
    expect(await keptEvidence((await sale.order())?.id ?? '')).toMatchObject({ taxId: 'DE136695976' })
  })

  it('the registry is asked about a tax ID at most once per day', async () => {
    registered()
    const before = vies.questions().length
    const sale = await aSale()
    await sale.ask(german)
    await sale.ask({ ...german, taxId: 'de 136 695 976' })
    await sale.pay({ ...german, ...company })
    expect(vies.questions().length - before).toBe(1)
    await db().$executeRaw`UPDATE tax_id_checks SET checked_at = checked_at - interval '25 hours'`
    await sale.ask(german)
    expect(vies.questions().length - before).toBe(2)
  })

  it('if the registry does not respond, each storefront has its own task to ask again', async () => {
    const choice = { ...german, facts: { taxIdResults: { [german.taxId]: 'unknown' as const } } }
    const storefronts = [shop, await aShop()].map(({ storefrontId }) => storefrontId)
    for (const storefrontId of storefronts)
      await transact({ storefrontId, testmode: false }, (tx) => askAgainLater(tx, choice as unknown as BuyerChoice))
    const asked = await db().tasks.findMany({ where: { name: 'tax.check_id' } })
    expect(asked.map((task) => task.storefront_id).sort()).toEqual(storefronts.sort())
    await db().tasks.deleteMany({ where: { name: 'tax.check_id' } })
  })

  it.each([
    ['an unregistered tax ID', 'FR', 'FR40303265045', 'VAT 20', 1],
    ['a tax ID with a wrong check digit', 'DE', 'DE136695978', 'VAT 19', 0],
    ["a tax ID of the seller's country", 'NL', 'NL004495445B01', 'VAT 21', 0],
  ])('tax is charged on a sale if the buyer enters %s', async (_, country, taxId, tax, asked) => {
    const before = vies.questions().length
    expect(await (await aSale()).ask({ country, taxId })).toMatchObject({ tax })
    expect(vies.questions().length - before).toBe(asked)
  })
})

describe('a consumer with a connection from another country', () => {
  const belgian = { country: 'BE', confirmCountry: '' }

  it('a consumer whose IP address is in another country confirms the country, and the confirmation is stored as evidence', async () => {
    const sale = await aSale()
    expect(await sale.pay(belgian)).toMatchObject({ redirectTo: expect.stringContaining('#problems') })
    const asked = { problems: { country: { code: 'contradicted', elsewhere: 'DE' } }, form: { country: 'BE' } }
    expect(await checkoutPage(sale.token, visitor)).toMatchObject(asked)
    expect(await sale.order()).toBeNull()

    await sale.pay({ country: 'FR', confirmCountry: 'BE' })
    expect(await checkoutPage(sale.token, visitor)).toMatchObject({ problems: { country: { code: 'contradicted' } } })
    await sale.pay({ ...belgian, confirmCountry: 'BE' })
    const order = await sale.order()
    expect(order).toMatchObject({ tax_summary: [{ percentage: '21' }] })
    const evidence = await keptEvidence(order?.id ?? '')
    expect(evidence).toMatchObject({ declaredCountry: 'BE', ipCountry: 'DE', standing: 'confirmed' })
    expect(evidence.countryConfirmedAt).toBeInstanceOf(Date)

    // After the confirmation, the buyer is not asked again, even if the bank is in a different country.
    await sale.pay(belgian)
    expect(await checkoutPage(sale.token, visitor)).toMatchObject({ problems: {} })
    expect((await keptEvidence(order?.id ?? '')).countryConfirmedAt).toEqual(evidence.countryConfirmedAt)
    const mandate = { ref: 'b', provider: 'second', method: 'card', maskedIdentifier: '1', status: 'valid' } as const
    await decideLast({ status: 'paid', country: 'BE', mandate })
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ paymentCountry: 'BE', standing: 'agreed' })
  })

  it('the client address from the proxy determines the country if no country header exists', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'countries-'))
    const geoDatabase = path.join(folder, 'countries.mmdb')
    await writeFile(geoDatabase, countryDatabase({ '193.0.0.0/21': { country_code: 'NL' } }, new Date()))
    configured({ geoDatabase })
    const headers: Record<string, string> = { 'x-forwarded-for': '193.0.6.139' }
    writeClientAddress({ headers, socket: {} } as unknown as IncomingMessage, 'x-forwarded-for')
    const dutch = { acceptLanguage: 'en', header: (name: string) => headers[name] ?? null }
    const sale = await aSale()
    expect(await checkoutPage(sale.token, dutch)).toMatchObject({ form: { country: 'NL' } })
    await submit(sale.token, new URLSearchParams({ ...buyer, country: 'NL' }), dutch)
    const order = await sale.order()
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ ipCountry: 'NL', standing: 'agreed' })
    await rm(folder, { recursive: true })
  })

  it.each([
    ['if the IP address is in the declared country', { country: 'DE' }],
    ['for a sale to a company with a reverse charge', { country: 'FR', taxId: 'FR40303265045' }],
  ])('the buyer need not confirm the country %s', async (_, form) => {
    vies.register({ countryCode: 'FR', vatNumber: '40303265045', name: 'Exemple', address: 'Paris' })
    await db().tax_id_checks.deleteMany()
    const sale = await aSale()
    await sale.pay({ ...company, confirmCountry: '', ...form, postalCode: form.country === 'DE' ? '10115' : '75001' })
    expect(await sale.order()).not.toBeNull()
  })

  it('the buyer must confirm the country if the bank of an earlier payment is in another country', async () => {
    const nowhere = { acceptLanguage: 'en', header: () => null }
    const sale = await aSale()
    const send = (form: object) =>
      submit(sale.token, new URLSearchParams({ ...buyer, country: 'BE', ...form }), nowhere)
    await send({})
    const order = await sale.order()
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ standing: 'alone' })
    await decideLast({ status: 'failed', failureReason: 'insufficient_funds', country: 'NL' })
    await send({})
    expect(await checkoutPage(sale.token, nowhere)).toMatchObject({
      problems: { country: { code: 'contradicted', elsewhere: 'NL' } },
    })
    await send({ confirmCountry: 'BE' })
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ paymentCountry: 'NL', standing: 'confirmed' })
  })
})

it('the evidence pack has the declaration, findings, rule, and rate sources, as JSON and as PDF', async () => {
  registered()
  const german_ = await aSale()
  await german_.pay({ ...german, ...company })
  const belgian = await aSale()
  await belgian.pay({ country: 'BE' })
  const packOf = async ({ order }: Pick<typeof belgian, 'order'>) => evidencePack((await order())?.id ?? '')
  const reversed = await packOf(german_)
  expect(reversed).toMatchObject({
    declaredCountry: 'DE',
    declared: { country: 'DE', companyName: 'Beispiel GmbH', taxId: german.taxId },
    ipCountry: 'DE',
    standing: 'agreed',
    taxIdCheck: { result: 'valid', source: 'vies' },
    rule: { reason: 'reverse_charge', law: 'Directive 2006/112/EC, art. 44 and 196' },
    rates: [{ name: 'Reverse charge', amount: '0.00', since: null }],
    sale: { currency: 'EUR', subtotal: '100.00', total: '100.00', invoiceNumber: null },
    seller: { country: 'NL' },
    exchange: null,
  })
  const taxed = await packOf(belgian)
  expect(taxed).toMatchObject({
    declaredCountry: 'BE',
    ipCountry: 'DE',
    standing: 'confirmed',
    taxIdCheck: null,
    rule: { reason: 'standard', law: expect.stringContaining('art. 24b') },
    rates: [{ percentage: '21', amount: '21.00', since: '2024-01-01', source: expect.stringContaining('TEDB') }],
  })
  const said = evidenceSheet(taxed).sections.flatMap(({ facts }) =>
    facts.map(({ label, value }) => `${label}: ${value}`),
  )
  expect(said).toContain('Country of the connection: DE')
  expect(said.join()).toMatch(/Country confirmed at: \d{4}-/)
  const [pdf, again] = [await drawFactSheet(evidenceSheet(reversed)), await drawFactSheet(evidenceSheet(reversed))]
  expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-')
  expect(Buffer.from(pdf).equals(Buffer.from(again))).toBe(true)
})

it('members with the export permission can download the evidence pack of their own storefront', async () => {
  const sale = await aSale()
  await sale.pay({ country: 'DE' })
  const id = (await sale.order())?.id ?? ''
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const [owner, support] = [
    await aMember('owner@example.com', merchant_id, 'owner'),
    await aMember('support@example.com', merchant_id, 'support'),
  ]
  const at = { mode: 'live', storefrontId: shop.storefrontId }
  expect(await orderPage(at, id, owner.cookies)).toHaveProperty('evidenceUrl')
  expect(await orderPage(at, id, support.cookies)).not.toHaveProperty('evidenceUrl')
  const file = await exportEvidence(at, id, owner.cookies)
  expect(file?.fileName).toBe(`evidence-${id}.pdf`)
  const { value } = (await file?.parts.next()) ?? {}
  expect(
    Buffer.from(value ?? [])
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect(await db().audit_entries.findFirst({ orderBy: { seq: 'desc' } })).toMatchObject({
    action: 'export.evidence',
    subject: id,
  })
  const stranger = await aShop()
  expect([
    await exportEvidence(at, id, support.cookies),
    await exportEvidence(at, id, null),
    await exportEvidence({ ...at, mode: 'test' }, id, owner.cookies),
    await exportEvidence({ mode: 'live', storefrontId: stranger.storefrontId }, id, owner.cookies),
    await exportEvidence(at, 'order_0', owner.cookies),
  ]).toEqual([null, null, null, null, null])
})

describe('a registry that does not respond', () => {
  it('with VIES_UNKNOWN=charge, tax is charged while the registry does not respond, and a later response is stored as evidence', async () => {
    vies.fail({ status: 400, error: 'MS_UNAVAILABLE' })
    const sale = await aSale()
    await sale.pay({ ...german, ...company })
    const order = await sale.order()
    expect(order).toMatchObject({ total: 11_900n })
    const [task, ...others] = await tasks()
    expect(others).toEqual([])
    expect((task?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 60_000)

    vies.fail(null)
    registered()
    const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
    const data = task?.data as Parameters<typeof askAgain>[1]
    await askAgain({ storefrontId: shop.storefrontId, testmode: false, claim }, data)
    expect(await tasks()).toEqual([])
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({
      taxReason: 'standard',
      taxIdCheck: { result: 'unknown', error: 'MS_UNAVAILABLE' },
      laterTaxIdCheck: { result: 'valid', name: 'Beispiel GmbH' },
    })
  })

  it('with VIES_UNKNOWN=accept, a tax ID is accepted while the registry does not respond, and is checked again for 30 days', async () => {
    configured({ acceptsUnknown: true })
    vies.fail({ status: 200, error: 'TIMEOUT' })
    const sale = await aSale()
    await sale.pay({ ...german, ...company })
    expect(await sale.order()).toMatchObject({ total: 10_000n })
    const [task] = await tasks()
    const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
    const data = task?.data as Parameters<typeof askAgain>[1]
    const tenant = { storefrontId: shop.storefrontId, testmode: false }
    await askAgain({ ...tenant, claim }, data)
    expect(await tasks()).toHaveLength(1)

    const begunAt = new Date(Date.now() - 31 * 86_400_000).toISOString()
    await askAgain({ ...tenant, claim }, { ...data, begunAt })
    expect(await tasks()).toEqual([])
  })
})

describe('a persistent error of VIES', () => {
  const day = 86_400_000

  it.each([
    ['INVALID_INPUT', null],
    ['IP_BLOCKED', day],
    ['VAT_BLOCKED', day],
  ])(
    'after the VIES error %s, the tax ID is unknown, and no request is sent to VIES in the next 10 minutes',
    async (error, pauseMs) => {
      configured({ acceptsUnknown: true })
      await db().tasks.deleteMany({ where: { name: 'tax.check_id', storefront_id: shop.storefrontId } })
      vies.fail({ status: 400, error })
      const sale = await aSale()
      await sale.pay({ ...german, ...company })
      expect(await db().tax_id_checks.findMany()).toMatchObject([{ result: 'unknown', error }])
      const before = vies.questions().length
      await db().$executeRaw`UPDATE tax_id_checks SET checked_at = checked_at - interval '10 minutes'`
      const { checked_at: asked } = await db().tax_id_checks.findFirstOrThrow()
      await sale.ask(german)
      const [task] = await tasks()
      const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
      const data = task?.data as Parameters<typeof askAgain>[1]
      await askAgain({ storefrontId: shop.storefrontId, testmode: false, claim }, data)
      expect(vies.questions().length).toBe(before)
      expect((await tasks()).map(({ due_at }) => due_at.getTime() - asked.getTime())).toEqual(
        pauseMs === null ? [] : [pauseMs],
      )
    },
  )
})

it('a form can check ten tax IDs per minute, and tax is charged for further IDs', async () => {
  configured({ acceptsUnknown: true })
  const before = vies.questions().length
  const sale = await aSale()
  // Italian numbers of eleven digits with the right check digit (Luhn).
  const ids = Array.from({ length: 14 }, (_, each) => `IT${withLuhn(`0074${300 + each}010`)}`)
  const taxes: string[] = []
  for (const taxId of ids) taxes.push((await sale.ask({ country: 'IT', taxId })).tax)
  expect(vies.questions().length - before).toBe(10)
  expect(new Set(taxes)).toEqual(new Set(['VAT 22']))
  const other = await aSale()
  await other.ask({ country: 'IT', taxId: ids[13] ?? '' })
  expect(vies.questions().length - before).toBe(11)
})

function withLuhn(ten: string): string {
  const sum = [...ten].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${ten}${(10 - (sum % 10)) % 10}`
}

describe('the next charge of a subscription', () => {
  const tenant = () => ({ storefrontId: shop.storefrontId, testmode: false })

  it('adding a tax ID to the invoice removes the tax of the next charge and refunds earlier tax', async () => {
    vies.fail({ status: 400, error: 'MS_UNAVAILABLE' })
    const sale = await aSale()
    await sale.pay({ country: 'DE' })
    const mandate = { ref: 'm', provider: 'second', method: 'card', maskedIdentifier: '1', status: 'valid' } as const
    await decideLast({ status: 'paid', mandate })
    const order = await sale.order()
    expect(order).toMatchObject({ status: 'paid', total: 11_900n })
    const { id } = await db().subscriptions.findFirstOrThrow({ orderBy: { id: 'desc' } })
    const next = async () => {
      const subscription = await findSubscription(db(), tenant(), id)
      return subscription && nextCharge(subscription, new Date())?.total
    }
    expect(await next()).toBe(11_900n)

    const token = await invoiceToken(order)
    const form = { ...german, ...company, fullName: 'Ada' }
    await submitInvoiceUpdate(token, new URLSearchParams({ ...form, useForLaterOrders: 'yes' }))
    expect(await invoiceUpdatePage(token, 'saved')).toMatchObject({ correction: null, notCorrected: 'unconfirmed' })
    expect(await db().subscriptions.findUnique({ where: { id } })).toMatchObject({
      billing_address: { taxId: german.taxId },
    })
    expect(await next()).toBe(11_900n)
    vies.fail(null)
    registered()
    await runDueTasks()
    expect(await next()).toBe(10_000n)

    const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    expect(await send(`PATCH /v1/subscriptions/${id}`, { key: shop.liveKey, body })).toMatchObject({ status: 200 })
    const change = await db().orders.findFirstOrThrow({ where: { subscription_id: id } })
    await runDueTasks()
    await decideLast({ status: 'paid', country: 'AT' })
    expect(await keptEvidence(change.id)).toMatchObject({
      declaredCountry: 'DE',
      postalCode: '10115',
      ipCountry: null,
      paymentCountry: 'AT',
      standing: 'contradicted',
      taxReason: 'reverse_charge',
      taxIdCheck: { result: 'valid' },
    })

    await submitInvoiceUpdate(token, new URLSearchParams({ ...form, version: '1' }))
    expect(await invoiceUpdatePage(token, 'saved')).toMatchObject({ correction: { tax: { value: '19.00' } } })
    await runDueTasks()
    expect(await db().refunds.findMany({ where: { order_id: order?.id ?? '' } })).toMatchObject([
      { status: 'refunded', subtotal: 0n, total: 1_900n },
    ])
    const replacement = await db().orders.findFirstOrThrow({ where: { replaces_order_id: order?.id ?? '' } })
    expect(replacement.tax_summary).toMatchObject([{ name: 'Reverse charge' }])
    expect(await keptEvidence(replacement.id)).toMatchObject({
      taxReason: 'reverse_charge',
      taxIdCheck: { result: 'valid', name: 'Beispiel GmbH' },
    })
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ taxReason: 'standard', taxId: null })
    expect(await brokenInvariants()).toEqual({})
  })

  it('the invoice update form refuses a tax ID that is unknown to the registry', async () => {
    const sale = await aSale()
    await sale.pay({ country: 'IT' })
    await decideLast({ status: 'paid' })
    const order = await sale.order()
    const token = await invoiceToken(order)
    await submitInvoiceUpdate(token, new URLSearchParams({ ...company, fullName: 'Ada', taxId: 'IT00743110157' }))
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { taxId: { code: 'not_registered' } } })
    vies.register({ countryCode: 'IT', vatNumber: '00743110157', name: 'Esempio', address: 'Roma' })
    await db().tax_id_checks.deleteMany()
    // An invoice with a reverse charge must show a company and an address.
    await submitInvoiceUpdate(token, new URLSearchParams({ fullName: 'Ada', taxId: 'IT00743110157' }))
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { companyName: { code: 'required' } } })
    expect(await sale.order()).toEqual(order)
  })
})

it('the tax returns of the quarter contain the payments of companies and consumers and match the ledger', async () => {
  registered()
  for (const form of [
    { ...german, ...company },
    { country: 'PT', postalCode: '9000-001' },
  ]) {
    const sale = await aSale()
    await sale.ask(form)
    await sale.pay(form)
    await decideLast({ status: 'paid' })
    expect(await sale.order()).toMatchObject({ status: 'paid' })
  }
  const asked = { period: quarterOf(new Date().toISOString()), testmode: false, storefrontId: null }
  expect(await ossReturnOf(asked)).toContainEqual(
    expect.objectContaining({ record: 'supply', country: 'PT', rate: '22', taxable: '100.00', tax: '22.00' }),
  )
  // The amount also includes an earlier sale that became a reverse charge, and a change of the subscription of that sale.
  expect(await salesListFor(asked)).toMatchObject([{ country: 'DE', number: '136695976', amount: '300.00' }])
  expect((await taxTotalsFor(asked)).at(-1)).toMatchObject({ declaration: 'all', currency: 'EUR', difference: '0.00' })
})

it('the next charge is announced again if the registry rejects the tax ID a day before the charge', async () => {
  const tenant = { storefrontId: shop.storefrontId, testmode: false }
  registered()
  const sale = await aSale()
  await sale.pay({ ...german, ...company })
  const mandate = { ref: 'n', provider: 'second', method: 'card', maskedIdentifier: '1', status: 'valid' } as const
  await decideLast({ status: 'paid', mandate })
  const order = await sale.order()
  expect(order).toMatchObject({ status: 'paid', total: 10_000n })
  const { id } = await db().subscriptions.findFirstOrThrow({ orderBy: { id: 'desc' } })
  const task = (await tasks()).find(({ key }) => key.startsWith(id))
  const data = task?.data as Parameters<typeof askAgain>[1]
  const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
  const again = (of = claim) =>
    askAgain({ ...tenant, claim: of }, { ...data, freshSince: new Date(Date.now() + 60_000).toISOString() })
  const announced = async () =>
    (await listEmails(shop.storefrontId)).filter(
      ({ kind, subscriptionId }) => kind === 'renewal_notice' && subscriptionId === id,
    )
  const forgetful = await startVies()
  onTestFinished(() => forgetful.close())
  configured({ vies: { apiBase: forgetful.url, acceptsUnknown: false } })
  await again()
  const [email, ...others] = await announced()
  expect(others).toEqual([])
  expect(read(email?.text ?? '')).toMatch(/has changed: €119\.00 on .+\. Until now, it was €100\.00 on /)
  const { id: taskId, claim_version: claimVersion } = await db().tasks.create({
    data: { ...((task ?? {}) as NonNullable<typeof task>), data: data as object },
  })
  await again({ taskId, claimVersion })
  expect(await announced()).toHaveLength(1)
  expect(await db().tax_id_checks.count({ where: { result: 'invalid', tax_id: german.taxId } })).toBe(2)
})

describe('a changed tax ID on an invoice with a reverse charge', () => {
  const other = 'DE129273398'

  async function reverseCharged() {
    registered()
    const sale = await aSale()
    await sale.pay({ ...german, ...company })
    await decideLast({ status: 'paid' })
    const order = await sale.order()
    const token = await invoiceToken(order)
    const put = async (taxId: string) => {
      await submitInvoiceUpdate(token, new URLSearchParams({ ...company, fullName: 'Ada', taxId }))
      const page = await invoiceUpdatePage(token, 'form')
      return { problems: page?.state === 'open' ? page.problems : null, taxId: (await shownOn(sale)).taxId }
    }
    return { orderId: order?.id ?? '', put }
  }

  const shownOn = async (sale: Awaited<ReturnType<typeof aSale>>) =>
    (await sale.order())?.customer_details as { taxId: string | null }

  it('a changed tax ID on a reverse-charge invoice must be confirmed by the registry', async () => {
    const { orderId, put } = await reverseCharged()
    const before = vies.questions().length
    expect(await put('DE 136 695 976')).toEqual({ problems: {}, taxId: 'DE136695976' })
    expect(vies.questions().length).toBe(before)

    expect(await put(other)).toEqual({ problems: { taxId: { code: 'not_registered' } }, taxId: 'DE136695976' })
    await db().tax_id_checks.deleteMany({ where: { tax_id: other } })
    vies.register({ countryCode: 'DE', vatNumber: other.slice(2), name: 'Andere GmbH', address: 'Bonn' })
    expect(await put(other)).toEqual({ problems: {}, taxId: other })
    const pack = await evidencePack(orderId)
    expect(pack).toMatchObject({
      taxIdCheck: { taxId: 'DE136695976', result: 'valid' },
      changedTaxIdCheck: { taxId: other, result: 'valid', name: 'Andere GmbH' },
    })
    expect(JSON.stringify(evidenceSheet(pack))).toContain(`Registry, of ${other} on the invoice`)
  })

  it.each([
    [false, { problems: { taxId: { code: 'unconfirmed' } }, taxId: german.taxId }, 0],
    [true, { problems: {}, taxId: other }, 1],
  ])(
    'while the registry does not respond, a changed tax ID is accepted only with VIES_UNKNOWN=accept (set: %s)',
    async (accepts, found, later) => {
      const { put } = await reverseCharged()
      await db().tasks.deleteMany({ where: { name: 'tax.check_id', storefront_id: shop.storefrontId } })
      configured({ acceptsUnknown: accepts })
      vies.fail({ status: 400, error: 'MS_UNAVAILABLE' })
      expect(await put(other)).toEqual(found)
      expect((await tasks()).filter(({ key }) => key.includes(other))).toHaveLength(later)
    },
  )
})

it('a sale stays in the tax return if the buyer later changes the postal code on the invoice', async () => {
  const sale = await aSale()
  await sale.pay({ country: 'ES' })
  await decideLast({ status: 'paid' })
  const order = await sale.order()
  const token = await invoiceToken(order)
  const put = (postalCode: string) => submitInvoiceUpdate(token, new URLSearchParams({ fullName: 'Ada', postalCode }))
  const declared = async () => {
    const rows = await ossReturnOf({ period: quarterOf(new Date().toISOString()), testmode: false, storefrontId: null })
    return rows.find(({ country }) => country === 'ES')
  }
  const spanish = { record: 'supply', rate: '21', taxable: '100.00', tax: '21.00' }
  expect(await declared()).toMatchObject(spanish)
  // Las Palmas is outside the VAT area of the EU, and Madrid is inside.
  await put('35001')
  expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { postalCode: { code: 'unavailable' } } })
  expect(await declared()).toMatchObject(spanish)
  await put('28001')
  expect(await sale.order()).toMatchObject({ customer_details: { postalCode: '28001' } })
  expect(await declared()).toMatchObject(spanish)
})

it('tax evidence is erased with the buyer, and a tax ID without an invoice is erased immediately', async () => {
  const taxId = 'DE143454214'
  vies.register({ countryCode: 'DE', vatNumber: '143454214', name: 'Beispiel GmbH', address: 'Berlin' })
  vies.register({ countryCode: 'DE', vatNumber: '129273398', name: 'Anderes GmbH', address: 'Bonn' })
  const pay = async (form: Record<string, string>) => {
    const sale = await aSale()
    await sale.ask(form)
    await sale.pay(form)
    await decideLast({ status: 'paid' })
    await runDueTasks()
    const { id = '', customer_id } = (await sale.order()) ?? {}
    const { data } = (await send('GET /v1/subscriptions', { key: shop.liveKey })).body
    const cancel = () => send(`DELETE /v1/subscriptions/${data[0].id}?immediately=true`, { key: shop.liveKey })
    return { id, customerId: customer_id ?? '', cancel }
  }
  const order = await pay({ ...german, ...company, taxId, email: 'first@example.com' })
  const other = await pay({ ...german, ...company, taxId, email: 'second@example.com' })
  const link = await send(`POST /v1/orders/${order.id}/invoice-update-link`, { key: shop.liveKey })
  const token = tokenOf(link.body.href)
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  const mistaken = { ...page.form, version: page.version, taxId: 'DE129273398', fullName: '' }
  await submitInvoiceUpdate(token, new URLSearchParams(mistaken))
  const taxIds = async () =>
    (await db().tax_id_checks.findMany({ orderBy: { tax_id: 'asc' } })).map((each) => each.tax_id)
  const asked = async () => (await tasks()).map(({ data }) => (data as { taxId: string }).taxId)
  expect([await taxIds(), await asked()]).toEqual([
    ['DE129273398', taxId],
    [taxId, taxId],
  ])

  for (const { cancel, customerId } of [order, other]) {
    expect((await cancel()).status).toBe(204)
    await runDueTasks()
    await erase(customerId)
  }
  expect([await taxIds(), await asked()]).toEqual([[taxId], []])
  const tenant = { storefrontId: shop.storefrontId, testmode: false }
  const inTenYears = new Date(Date.now() + 10 * 366 * 86_400_000)
  const endOf = async ({ customerId }: { customerId: string }, before: Date) =>
    eraseDocumentsBefore(db(), tenant, { customerId, taxIds: await taxIdsOf(db(), customerId), before })
  await endOf(order, new Date('2026-01-01'))
  expect(await keptEvidence(order.id)).toMatchObject({ taxIdCheck: { name: 'Beispiel GmbH' } })
  for (const _ of ['once', 'again']) await endOf(order, inTenYears)
  await expect(keptEvidence(order.id)).rejects.toMatchObject({ code: 'not_found' })
  // Both sales depend on the same registry response, so the response is stored until the evidence of the other sale is erased too.
  expect(await keptEvidence(other.id)).toMatchObject({ taxIdCheck: { name: 'Beispiel GmbH' } })
  await endOf(other, inTenYears)
  expect(await taxIds()).toEqual([])
})

describe('registrations of the seller', () => {
  const british = { country: 'GB', number: 'GB980780684', scheme: 'local', from: '2026-01-01' }

  it('a seller collects tax in a country from the start to the end of the registration there', async () => {
    const { id } = await addRegistration(british)
    const sale = await aSale()
    expect(await sale.ask({ country: 'GB' })).toMatchObject({ tax: 'VAT 20', total: '120.00' })
    await expect(addRegistration(british)).rejects.toMatchObject({ code: 'validation_failed' })
    await endRegistration(id, '2026-01-31')
    expect(await sale.ask({ country: 'GB' })).toMatchObject({ tax: 'Outside scope 0' })
    expect(await listRegistrations()).toMatchObject([{ id, until: '2026-01-31' }])
    const entries = await db().audit_entries.findMany({ where: { subject: id }, orderBy: { seq: 'asc' } })
    expect(entries.map(({ action }) => action)).toEqual(['registration.add', 'registration.end'])
  })

  it.each([
    ['country', { country: 'US' }],
    ['country', { country: 'XX' }],
    ['country', { country: 'JP' }],
    ['region', { region: 'QC' }],
    ['region', { country: 'CA', region: 'ON' }],
    ['number', { number: ' ' }],
    ['scheme', { scheme: 'moss' }],
    ['from', { from: '2026-02-30' }],
    ['until', { until: '2025-12-31' }],
  ])('a registration with a wrong %s is refused: %j', async (field, wrong) => {
    const refusal = await addRegistration({ ...british, ...wrong }).catch((error) => error)
    expect(Object.keys(refusal.on ?? {})).toEqual([field])
    expect((await listRegistrations()).every(({ country }) => country === 'GB')).toBe(true)
  })
})

describe('a British buyer when HMRC is configured', () => {
  const british = { country: 'GB', taxId: 'GB 980 7806 84', postalCode: 'SW1A 1AA' }
  const details = { companyName: 'Example Ltd', streetAndNumber: 'Way 1', city: 'London' }

  async function anHmrc() {
    const hmrc = await startHmrc()
    onTestFinished(() => hmrc.close())
    resetHmrc()
    const { url: apiBase, clientId, clientSecret } = hmrc
    const account = { hmrc: { apiBase, clientId, clientSecret } }
    configured(account)
    return { hmrc, account }
  }

  it('a British buyer pays no tax to an unregistered seller, and the HMRC response is stored', async () => {
    const { hmrc } = await anHmrc()
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    const sale = await aSale()
    expect(await sale.ask(british)).toMatchObject({ tax: 'Outside scope 0', taxId: 'none' })
    await sale.pay({ ...british, ...details })
    const order = await sale.order()
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({
      taxReason: 'outside_scope',
      taxIdCheck: { source: 'hmrc', result: 'valid', name: 'Example Ltd', consultationNumber: null },
    })
    expect(hmrc.questions()).toHaveLength(1)
  })

  it('sales to consumers count toward the British threshold, and sales to confirmed VAT numbers do not', async () => {
    const year = { period: String(new Date().getUTCFullYear()), testmode: false, storefrontId: null }
    const sold = async () => (await thresholdsOfYear(year)).rows.find(({ country }) => country === 'GB')?.sold
    const before = (await sold()) ?? 0n
    const { hmrc } = await anHmrc()
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    const company = await aSale()
    await company.ask(british)
    await company.pay({ ...british, ...details })
    await decideLast({ status: 'paid' })
    expect(await sold()).toBe(before)
    const consumer = await aSale()
    await consumer.pay({ country: 'GB' })
    await decideLast({ status: 'paid' })
    expect(await sold()).toBe(before + 10_000n)
  })

  it('a registered seller charges no tax for a valid British number, and charges tax otherwise', async () => {
    const { hmrc } = await anHmrc()
    await addRegistration({ country: 'GB', number: 'GB146295999', scheme: 'local', from: '2026-03-01' })
    const sale = await aSale()
    expect(await sale.ask(british)).toMatchObject({ tax: 'VAT 20', taxId: 'not_confirmed' })

    await db().tax_id_checks.deleteMany()
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    hmrc.register({ vatNumber: '146295999', name: 'Seller' })
    expect(await sale.ask(british)).toMatchObject({ tax: 'Reverse charge 0', registeredName: 'Example Ltd' })
    await sale.pay({ ...british, ...details })
    const order = await sale.order()
    expect(order).toMatchObject({ total: 10_000n, tax_summary: [{ name: 'Reverse charge' }] })
    expect(await evidencePack(order?.id ?? '')).toMatchObject({
      taxReason: 'reverse_charge',
      taxIdCheck: { source: 'hmrc', result: 'valid', consultationNumber: expect.stringMatching(/^ypA/) },
      rule: { law: expect.stringContaining('Value Added Tax Act 1994') },
    })
    await decideLast({ status: 'paid' })
    const asked = { period: quarterOf(new Date().toISOString()), testmode: false, storefrontId: null }
    expect((await salesListFor(asked)).filter(({ country }) => country === 'GB')).toEqual([])
    expect((await taxTotalsFor(asked)).at(-1)).toMatchObject({ difference: '0.00' })
  })

  it('if HMRC does not respond, a British buyer pays tax unless VIES_UNKNOWN=accept is set', async () => {
    const { hmrc, account } = await anHmrc()
    hmrc.fail({ status: 503, code: 'SERVER_ERROR' })
    const sale = await aSale()
    expect(await sale.ask(british)).toMatchObject({ tax: 'VAT 20' })
    configured({ ...account, acceptsUnknown: true })
    expect(await sale.ask(british)).toMatchObject({ tax: 'Reverse charge 0' })
    await sale.pay({ ...british, ...details })
    expect(await sale.order()).toMatchObject({ total: 10_000n })
    const task = (await tasks()).find(({ data }) => (data as { taxId?: string }).taxId === 'GB980780684')
    hmrc.fail(null)
    const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
    const data = task?.data as Parameters<typeof askAgain>[1]
    await askAgain({ storefrontId: shop.storefrontId, testmode: false, claim }, data)
    expect(await db().tax_id_checks.findFirst({ orderBy: { checked_at: 'desc' } })).toMatchObject({
      tax_id: 'GB980780684',
      source: 'hmrc',
      result: 'invalid',
      checkout_id: null,
    })
  })
})
