import { extractXml, Profile, validateXsd } from '@stackforge-eu/factur-x'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GET as pdf } from '@/app/(hosted)/invoices/[token]/pdf/route.ts'
import { GET as ubl } from '@/app/(hosted)/invoices/[token]/ubl/route.ts'
import { locales } from '../../kernel/locale.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { pageHeaders } from '../../platform/http/page-headers.ts'
import { send } from '../../testing/api.ts'
import { brokenRules, readInvoice } from '../../testing/en16931.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { outOfOrder } from '../../testing/ubl-order.ts'
import { move, raise } from '../../workflows/chargeback/operations.ts'
import { submitInvoiceUpdate } from '../../workflows/invoice-update/submit-invoice-update.ts'
import { stopDrawing } from './draw-documents.ts'
import { invoiceView } from './load-invoice.ts'

let sale: Sale
beforeAll(async () => {
  sale = await aSale({ price: '10.00', buyer: { country: 'SE', currency: 'SEK' } })
})
afterAll(stopDrawing)

const at = (token: string) => ({ params: Promise.resolve({ token }) })
const ublOf = (token: string) => ubl(new Request(`http://billhook.test/invoices/${token}/ubl`), at(token))

async function facturX(orderId: string): Promise<string> {
  const token = linkToken('invoice', orderId)
  const file = await pdf(new Request(`http://billhook.test/invoices/${token}/pdf`), at(token))
  const { xml } = await extractXml(new Uint8Array(await file.arrayBuffer()))
  expect(await validateXsd(xml, Profile.EN16931)).toEqual({ valid: true, errors: [] })
  return xml
}

async function bothSay(orderId: string) {
  const xml = await (await ublOf(linkToken('invoice', orderId))).text()
  const cii = await facturX(orderId)
  expect([brokenRules(xml, 'ubl'), brokenRules(cii, 'cii'), outOfOrder(xml)]).toEqual([[], [], []])
  const said = readInvoice(xml, 'ubl')
  expect(readInvoice(cii, 'cii')).toEqual(said)
  return said
}

it('the page, PDF, CII, and UBL of an invoice in kronor and its credit note state the VAT in euros', async () => {
  expect(await bothSay(sale.orderId)).toMatchObject({
    type: ['380'],
    currency: ['SEK'],
    taxCurrency: ['EUR'],
    taxTotals: ['28.13', '2.50'],
    taxTotalCurrencies: ['SEK', 'EUR'],
    withTax: ['140.63'],
  })
  const words = 'VAT in EUR: €2.50 (1 EUR = 11.25 SEK).'
  expect((await invoiceView(linkToken('invoice', sale.orderId)))?.document.closing).toContain(words)

  await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
  await pass(sale, 'PT1M')
  const [refund] = (await get(sale.key, '/v1/refunds')).data
  expect(await bothSay(refund.orderId)).toMatchObject({
    type: ['381'],
    currency: ['SEK'],
    taxCurrency: ['EUR'],
    taxTotals: ['28.13', '2.50'],
  })
})

it.each(locales)('the VAT of an invoice in kronor is stated in euros in the language %s', async (locale) => {
  const stated = [{ currency: 'EUR', rate: '1', source: 'built_in', on: null }]
  const bank = { exchange_rate: '11.2055', exchange_rate_source: 'ecb', exchange_rate_on: new Date('2026-11-20') }
  await db().orders.update({ where: { id: sale.orderId }, data: { locale, vat_stated_in: stated, ...bank } })
  const closing = (await invoiceView(linkToken('invoice', sale.orderId)))?.document.closing ?? []
  const [note] = closing.filter((each) => each.includes('SEK'))
  expect(note).toMatch(/EUR.*2[.,]51.*1 EUR = 11[.,]2055 SEK.*20.*2026/)
})

it('if a tax ID that is added after the sale removes the tax, the new invoice states no VAT in euros', async () => {
  const polish = await aSale({ price: '100.00', buyer: { country: 'PL', currency: 'PLN' } })
  const { body } = await send(`POST /v1/orders/${polish.orderId}/invoice-update-link`, { key: polish.key })
  const company = { companyName: 'Firma', streetAndNumber: 'Aleja 1', postalCode: '00-001', city: 'Warszawa' }
  const form = new URLSearchParams({ fullName: 'Ada', ...company, taxId: 'PL1', version: '0' })
  await submitInvoiceUpdate(tokenOf(body.href), form)
  await drainTasks()
  await send(`POST /v1/orders/${polish.orderId}/refunds/full`, { key: polish.key })
  await pass(polish, 'PT2M')
  const documents = await db().orders.findMany({ where: { storefront_id: polish.shop.storefrontId } })
  const stated = []
  for (const { id, invoice_number } of documents) {
    const { taxCurrency, taxTotals } = await bothSay(id)
    const closing = ((await invoiceView(linkToken('invoice', id)))?.document.closing ?? []).join()
    stated.push([invoice_number, taxCurrency, taxTotals.length, closing.includes('VAT in EUR')])
  }
  expect(stated.sort()).toEqual([
    ['TEST-CN-2026-000001', ['EUR'], 2, true],
    ['TEST-CN-2026-000002', [], 1, false],
    ['TEST-INV-2026-000001', ['EUR'], 2, true],
    ['TEST-INV-2026-000002', [], 1, false],
  ])
})

it('an invoice in euros states no VAT in another currency', async () => {
  const { orderId } = await aSale({ price: '10.00', buyer: { country: 'DE' } })
  expect(await bothSay(orderId)).toMatchObject({ currency: ['EUR'], taxCurrency: [], taxTotals: ['1.90'] })
})

it('the UBL of an invoice is served for its link, and is not found for an unknown link or a Canadian sale', async () => {
  const { orderId } = await aSale({ price: '10.00' })
  const token = linkToken('invoice', orderId)
  const file = await ublOf(token)
  const { invoice_number } = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
  expect(Object.fromEntries(file.headers)).toEqual({
    ...pageHeaders,
    'cache-control': 'private, no-cache',
    'content-type': 'application/xml; charset=utf-8',
    'content-disposition': `attachment; filename="${invoice_number}.xml"`,
  })
  expect((await invoiceView(token))?.document.ubl?.url).toBe(`/invoices/${token}/ubl`)

  const canadian = await aSale({ price: '10.00', buyer: { country: 'CA' } })
  const other = linkToken('invoice', canadian.orderId)
  expect((await ublOf(other)).status).toBe(404)
  expect((await invoiceView(other))?.document.ubl).toBeNull()
  for (const wrong of ['', 'x', `${token}x`, linkToken('checkout', orderId)])
    expect((await ublOf(wrong)).status).toBe(404)
})

it('the credit note of a dispute that is lost after a full refund has no lines and no e-invoice', async () => {
  const disputed = await aSale({ price: '100.00', buyer: { country: 'SE', currency: 'SEK' } })
  await send(`POST /v1/orders/${disputed.orderId}/refunds/full`, { key: disputed.key })
  await pass(disputed, 'PT2M')
  const { chargebackId } = await raise(disputed.orderId, { amount: '50.00', reason: 'fraud' })
  await drainTasks()
  const { creditNoteId } = await move(chargebackId, 'lost')
  const token = linkToken('invoice', creditNoteId ?? '')
  expect((await invoiceView(token))?.document).toMatchObject({
    lines: [],
    ubl: null,
    eInvoice: null,
    closing: ['No amount is credited: nothing of the invoice was left to credit.'],
  })
  expect((await ublOf(token)).status).toBe(404)
  const file = await pdf(new Request(`http://billhook.test/invoices/${token}/pdf`), at(token))
  expect(file.status).toBe(200)

  const sentences = new Set<string>()
  for (const locale of locales) {
    await db().orders.update({ where: { id: creditNoteId ?? '' }, data: { locale } })
    sentences.add((await invoiceView(token))?.document.closing.at(-1) ?? '')
  }
  expect(sentences.size).toBe(locales.length)
})
