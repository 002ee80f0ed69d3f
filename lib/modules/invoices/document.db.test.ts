import { extractXml, Profile, validateXsd } from '@stackforge-eu/factur-x'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { GET } from '@/app/(hosted)/invoices/[token]/pdf/route.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { pageHeaders } from '../../platform/http/page-headers.ts'
import * as factories from '../../testing/factories.ts'
import { blackShape } from '../../testing/pictures.ts'
import { aShop, type Shop, tokenOf } from '../../testing/shop.ts'
import { saveBrand } from '../brand/operations.ts'
import { invoicePath } from '../orders/resource.ts'
import { stopDrawing } from './draw-documents.ts'
import { invoiceView } from './load-invoice.ts'
import type { InvoiceDocument } from './page.ts'

let shop: Shop
let orderId: string
let year: number
const paidAt = new Date('2027-03-04T05:06:07Z')

beforeAll(async () => {
  shop = await aShop({ name: 'Søren’s Tools' })
  const { id } = await factories.aProduct(shop.testKey)
  const checkout = await factories.aCheckout(shop.testKey, id, { locale: 'pl' })
  const buyer = { fullName: 'Zażółć Gęślą', country: 'PL', city: 'Łódź' }
  orderId = (await factories.pay(shop.testKey, checkout, buyer)).orderId
  const { paid_at } = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
  year = paid_at?.getUTCFullYear() ?? 0
  await db().orders.update({ where: { id: orderId }, data: { paid_at: paidAt } })
})

afterAll(stopDrawing)

it('the PDFs of an invoice and its credit note contain XML invoices, and the amounts and names in the invoice XML match the invoice page', async () => {
  const xmlOf = async (id: string) => {
    const reply = await get(linkToken('invoice', id))
    const { xml } = await extractXml(new Uint8Array(await reply.arrayBuffer()))
    expect(await validateXsd(xml, Profile.EN16931)).toEqual({ valid: true, errors: [] })
    return xml
  }
  const order = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
  const page = await documentOf(orderId)
  const invoice = await xmlOf(orderId)
  const shown = (value: string) => value.replaceAll(/[^\d,]/g, '').replace(',', '.')
  const stated = (name: string) =>
    [...invoice.matchAll(new RegExp(`<ram:${name}[^>]*>([^<]*)`, 'g'))].map(([, value]) => value)
  expect(stated('GrandTotalAmount')).toEqual([shown(page.total.value)])
  expect(stated('LineTotalAmount')).toEqual([
    ...page.lines.map(({ amount }) => shown(amount)),
    shown(page.sums[0]?.value ?? ''),
  ])
  expect(page.number).toBe(order.invoice_number)
  expect(page.parties.map(({ name }) => name)).toEqual(stated('Name').slice(-2))
  expect(invoice).toContain(`<ram:ID>${order.invoice_number}</ram:ID><ram:TypeCode>380</ram:TypeCode>`)
  expect(invoice).toContain('<ram:Name>Zażółć Gęślą</ram:Name>')
  expect(invoice).toContain('<ram:CityName>Łódź</ram:CityName>')
  expect(invoice).toContain(`<ram:GrandTotalAmount>${(Number(order.total) / 100).toFixed(2)}</ram:GrandTotalAmount>`)
  expect(invoice).toContain('>20270304<')
  const creditNote = await xmlOf(await aCreditNote(`CN-${newId('order_', paidAt)}`, 'refund'))
  expect(creditNote).toContain('<ram:TypeCode>381</ram:TypeCode>')
  expect(creditNote).toContain(`<ram:IssuerAssignedID>${order.invoice_number}</ram:IssuerAssignedID>`)
})

const documentOf = async (id: string): Promise<InvoiceDocument> =>
  JSON.parse(JSON.stringify((await invoiceView(linkToken('invoice', id)))?.document).replaceAll('\u00a0', ' '))

const get = (token: string, headers: Record<string, string> = {}) =>
  GET(new Request(`http://billhook.test/invoices/${token}/pdf`, { headers }), { params: Promise.resolve({ token }) })

async function textOf(bytes: ArrayBuffer): Promise<string> {
  const file = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const { items } = await (await file.getPage(1)).getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join(' ')
}

async function aCreditNote(number: string, of: 'refund' | 'chargeback'): Promise<string> {
  const original = await db().orders.findUniqueOrThrow({ where: { id: orderId }, include: { lines: true } })
  const { lines, checkout_id: _, vat_stated_in: __, customer_details, seller, tax_summary, ...row } = original
  const id = newId('order_', paidAt)
  await db().$transaction(async (sql) => {
    await sql.orders.create({
      data: {
        ...row,
        id,
        customer_details: customer_details as object,
        seller: seller as object,
        tax_summary: tax_summary as object[],
        credited_order_id: orderId,
        invoice_number: number,
        paid_at: new Date('2027-05-06T07:08:09Z'),
      },
    })
    await sql.order_lines.createMany({
      data: lines.map(({ terms_change: _, taxes, ...line }) => ({
        ...line,
        id: newId('order_item_', paidAt),
        order_id: id,
        taxes: taxes as object[],
      })),
    })
  })
  const whole = {
    storefront_id: row.storefront_id,
    testmode: true,
    order_id: orderId,
    customer_id: row.customer_id ?? '',
    currency: row.currency,
    subtotal: row.subtotal,
    total: row.total,
    tax_summary: [],
    credit_note_id: id,
    created_at: paidAt,
    finished_at: paidAt,
  }
  if (of === 'refund')
    await db().refunds.create({
      data: { ...whole, id: newId('refund_', paidAt), status: 'refunded', window_ends_at: paidAt },
    })
  else
    await db().chargebacks.create({
      data: {
        ...whole,
        id: newId('chargeback_', paidAt),
        status: 'lost',
        provider_ref: id,
        reason: 'fraudulent',
        amount: row.total,
        provider_fee: 0n,
      },
    })
  return id
}

describe('PDF', () => {
  it('the PDF of an invoice is named after its number and is in the language of the sale', async () => {
    const response = await get(linkToken('invoice', orderId))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      ...pageHeaders,
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      'content-disposition': `inline; filename="TEST-INV-${year}-000001.pdf"`,
      'content-type': 'application/pdf',
    })
    const text = await textOf(await response.arrayBuffer())
    for (const words of ['Faktura', 'Zażółć Gęślą', 'Łódź', 'Søren’s Tools', 'Tryb testowy', '4 marca 2027'])
      expect(text).toContain(words)
  })

  it('the PDF of an invoice has the same bytes until the invoice is updated', async () => {
    const bytes = async () => Buffer.from(await (await get(linkToken('invoice', orderId))).arrayBuffer())
    const first = await bytes()
    expect(first.equals(await bytes())).toBe(true)
    await db().orders.update({ where: { id: orderId }, data: { corrected_at: new Date('2027-04-01T00:00:00Z') } })
    const corrected = await bytes()
    expect(corrected.equals(first)).toBe(false)
    expect(await textOf(new Uint8Array(corrected).buffer)).toContain('1 kwietnia 2027')
    expect(await documentOf(orderId)).toMatchObject({ madeAt: '2027-04-01T00:00:00Z' })
    await db().orders.update({ where: { id: orderId }, data: { corrected_at: null } })
    expect(first.equals(await bytes())).toBe(true)
  })

  it('a conditional request for a PDF gets 304 until the invoice is updated', async () => {
    const token = linkToken('invoice', orderId)
    const etag = (await get(token)).headers.get('etag') ?? ''
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(token, { 'if-none-match': tags })
      expect(again.status).toBe(304)
      expect(again.body).toBeNull()
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await get(token, { 'if-none-match': '"other"' })).status).toBe(200)
    await db().orders.update({ where: { id: orderId }, data: { corrected_at: new Date('2027-04-01T00:00:00Z') } })
    const corrected = await get(token, { 'if-none-match': etag })
    expect(corrected.status).toBe(200)
    expect(corrected.headers.get('etag')).not.toBe(etag)
    await db().orders.update({ where: { id: orderId }, data: { corrected_at: null } })
  })

  it('the PDF shows the storefront’s logo and support address until they are removed', async () => {
    const bytes = async () => Buffer.from(await (await get(linkToken('invoice', orderId))).arrayBuffer())
    const plain = await bytes()
    await saveBrand(shop.storefrontId, { logo: blackShape, supportEmail: 'help@lumen.example', accent: '#166534' })
    const branded = await bytes()
    expect(branded.toString('latin1')).toContain('/Subtype /Image')
    expect(await textOf(new Uint8Array(branded).buffer)).toContain('help@lumen.example')
    await saveBrand(shop.storefrontId, { accent: '#9d174d' })
    expect(branded.equals(await bytes())).toBe(true)
    await saveBrand(shop.storefrontId, { logo: null, supportEmail: '', accent: '' })
    expect(plain.equals(await bytes())).toBe(true)
  })

  it('300 concurrent requests for a PDF are all served', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => get(linkToken('invoice', orderId))))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  })

  it('PDF requests above the limit of waiting requests get 503 with Retry-After', async () => {
    const links = Array.from({ length: 600 }, () => linkToken('invoice', newId('order_', paidAt)))
    const answers = await Promise.all(links.map((link) => get(link)))
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBe(600 - 500 - 3)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(503)
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5')
    expect(await refused[0]?.text()).toMatch(/^We cannot show this page right now\n/)
    expect((await get(linkToken('invoice', orderId))).status).toBe(200)
  })

  it('the page of an invoice links to its PDF', async () => {
    const document = await documentOf(orderId)
    expect(document?.pdf.url).toBe(`${invoicePath(orderId)}/pdf`)
    expect((await get(document?.pdf.url.split('/').at(-2) ?? '')).status).toBe(200)
  })

  it('a PDF request with an unknown link or for an order without an invoice gets 404', async () => {
    const unpaid = newId('order_', paidAt)
    for (const token of [
      '',
      'x',
      `${linkToken('invoice', orderId)}x`,
      linkToken('checkout', orderId),
      linkToken('invoice', unpaid),
    ]) {
      const response = await get(token, { 'accept-language': 'de-AT,de;q=0.9' })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toMatch(/^Diese Seite wurde nicht gefunden\n\nDer Link/)
    }
  })

  it('a PDF request gets 503 with an error page while the database is unavailable', async () => {
    const failing = vi.spyOn(db().orders, 'findUnique').mockRejectedValueOnce(new Error('the database is gone'))
    const response = await get(linkToken('invoice', orderId))
    expect(response.status).toBe(503)
    expect(await response.text()).toMatch(/^We cannot show this page right now\n/)
    expect(failing).toHaveBeenCalledOnce()
    failing.mockRestore()
  })
})

describe('credit note', () => {
  it.each([
    ['refund', 'TEST-CN-2027-000001', 'Zwrot', 'Zwrócono dnia 6 maja 2027: Karta kredytowa lub debetowa.'],
    ['chargeback', 'TEST-CN-2027-000002', 'Obciążenie zwrotne', 'Zwrócono w wyniku obciążenia zwrotnego płatności.'],
  ] as const)(
    'a credit note of a %s states the reason and the number of the credited invoice',
    async (of, number, cause, paidBack) => {
      const id = await aCreditNote(number, of)
      const original = await documentOf(orderId)
      const document = await documentOf(id)
      expect(original?.heading).toBe('Faktura')
      expect(document).toMatchObject({ heading: 'Faktura korygująca', number, closing: [paidBack] })
      expect(document?.facts.slice(0, 5)).toEqual([
        { label: 'Numer faktury korygującej', value: number },
        { label: 'Data wystawienia', value: '6 maja 2027' },
        { label: 'Data sprzedaży', value: '4 marca 2027' },
        { label: 'Dotyczy faktury', value: `${original?.number} z dnia 4 marca 2027` },
        { label: 'Przyczyna korekty', value: cause },
      ])
      const file = await get(tokenOf(invoicePath(id)))
      expect(file.headers.get('content-disposition')).toBe(`inline; filename="${number}.pdf"`)
      expect(await textOf(await file.arrayBuffer())).toContain(paidBack)
    },
  )
})
