import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import { transact } from '../../modules/events/transact.ts'
import { keptEvidence } from '../../modules/tax/kept-evidence.ts'
import { addRegistration, endRegistration, listRegistrations } from '../../modules/tax/operations.ts'
import { db } from '../../platform/db/db.ts'
import { writeClientAddress } from '../../platform/http/client-address.ts'
import { countryDatabase } from '../../testing/country-database.ts'
import { buyer, company, german, liveTaxShop, visitor } from '../../testing/live-tax.ts'
import { aShop } from '../../testing/shop.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { askAgainLater } from './ask-again-later.ts'

const live = liveTaxShop()
const { configured, aSale, decideLast, registered, tasks } = live

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

  it('a VAT ID with pasted invisible characters reverses the charge and is stored without these characters', async () => {
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
    const before = live.vies.questions().length
    const sale = await aSale()
    await sale.ask(german)
    await sale.ask({ ...german, taxId: 'de 136 695 976' })
    await sale.pay({ ...german, ...company })
    expect(live.vies.questions().length - before).toBe(1)
    await db().$executeRaw`UPDATE tax_id_checks SET checked_at = checked_at - interval '25 hours'`
    await sale.ask(german)
    expect(live.vies.questions().length - before).toBe(2)
  })

  it('if the registry does not respond, each storefront has its own task to ask again', async () => {
    const choice = { ...german, facts: { taxIdResults: { [german.taxId]: 'unknown' as const } } }
    const storefronts = [live.shop, await aShop()].map(({ storefrontId }) => storefrontId)
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
    const before = live.vies.questions().length
    expect(await (await aSale()).ask({ country, taxId })).toMatchObject({ tax })
    expect(live.vies.questions().length - before).toBe(asked)
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
    await submitCheckout(sale.token, new URLSearchParams({ ...buyer, country: 'NL' }), dutch)
    const order = await sale.order()
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ ipCountry: 'NL', standing: 'agreed' })
    await rm(folder, { recursive: true })
  })

  it.each([
    ['if the IP address is in the declared country', { country: 'DE' }],
    ['for a sale to a company with a reverse charge', { country: 'FR', taxId: 'FR40303265045' }],
  ])('the buyer need not confirm the country %s', async (_, form) => {
    live.vies.register({ countryCode: 'FR', vatNumber: '40303265045', name: 'Exemple', address: 'Paris' })
    await db().tax_id_checks.deleteMany()
    const sale = await aSale()
    await sale.pay({ ...company, confirmCountry: '', ...form, postalCode: form.country === 'DE' ? '10115' : '75001' })
    expect(await sale.order()).not.toBeNull()
  })

  it('the buyer must confirm the country if the bank of an earlier payment is in another country', async () => {
    const nowhere = { acceptLanguage: 'en', header: () => null }
    const sale = await aSale()
    const send = (form: object) =>
      submitCheckout(sale.token, new URLSearchParams({ ...buyer, country: 'BE', ...form }), nowhere)
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
    ['number', { number: 'GB980780685' }],
    ['number', { country: 'NL', number: 'nl 0000.99998.B.75' }],
    ['scheme', { scheme: 'moss' }],
    ['from', { from: '2026-02-30' }],
    ['until', { until: '2025-12-31' }],
  ])('a tax registration with a wrong %s is refused: %j', async (field, wrong) => {
    const refusal = await addRegistration({ ...british, ...wrong }).catch((error) => error)
    expect(Object.keys(refusal.on ?? {})).toEqual([field])
    expect((await listRegistrations()).every(({ country }) => country === 'GB')).toBe(true)
  })
})
