import { readdirSync, readFileSync } from 'node:fs'
import type { APIRequestContext } from '@playwright/test'
import { textOfPdf, withoutSpaces } from '../lib/testing/pdf-text.ts'
import { onEveryScreen } from './screens.ts'
import { aCheckout, type Shop } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

const long = { word: 'w'.repeat(200), company: `Łódzkie ${'Ślusarsko-'.repeat(12)}Źródłowe` }
const buyer = {
  email: 'ada@example.com',
  paymentMethod: 'creditcard',
  fullName: long.word,
  companyName: long.company,
  country: 'US',
  streetAndNumber: '1 Main St',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62704',
}

async function documents(
  shop: Shop,
  shopUrl: string,
  request: APIRequestContext,
  name: string,
): Promise<{ invoice: string; creditNote: string }> {
  const price = { value: '99999.99', currency: 'EUR' }
  const body = { name, description: 'Long', basePrice: price, productType: 'ebook' }
  const { id } = await shop.api('POST', '/one-off-products', body)
  const checkout = await aCheckout(shop, shopUrl, { products: [{ id, quantity: 900 }], locale: 'pl' })
  const post = async (url: string, form: Record<string, string>) =>
    (await request.post(`${url}/submit`, { form, maxRedirects: 0 })).headers().location ?? ''
  const payment = new URL(await post(checkout.url, buyer), checkout.url)
  await post(payment.href, { outcome: 'paid' })
  const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  const refund = await shop.api('POST', `/orders/${orderId}/refunds/full`, {})
  await shop.api('POST', '/test-helpers/clock/advance', { by: 'PT2M' })
  await expect.poll(async () => (await shop.api('GET', `/refunds/${refund.id}`)).orderId).not.toBeNull()
  const linkOf = async (id: string) => (await shop.api('GET', `/orders/${id}`)).links.customerInvoice.href
  const { orderId: note } = await shop.api('GET', `/refunds/${refund.id}`)
  return { invoice: await linkOf(orderId), creditNote: await linkOf(note) }
}

test('an invoice and a credit note with long words and large amounts fit every screen', async ({
  browser,
  request,
  shop,
  shopUrl,
}) => {
  const { invoice, creditNote } = await documents(shop, shopUrl, request, `${'x'.repeat(200)} Podręcznik`)
  await onEveryScreen(browser, async (page, isWell) => {
    for (const url of [invoice, creditNote]) {
      await page.goto(url)
      await expect(page.locator('main')).toContainText('Springfield, IL 62704')
      await isWell()
    }
    await expect(page.locator('main')).toContainText('Podręcznik (pełny zwrot)')
    for (const width of [320, 480, 640, 800, 900]) {
      await page.setViewportSize({ width, height: 900 })
      const beyond = await page.evaluate(() =>
        [...document.querySelectorAll('main, main *')]
          .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
          .map((each) => each.outerHTML.slice(0, 100)),
      )
      expect(beyond).toEqual([])
    }
  })
})

test('many clients can download an invoice PDF simultaneously, and a client with a current copy gets 304', async ({
  request,
  shop,
  shopUrl,
}) => {
  const { invoice } = await documents(shop, shopUrl, request, 'Team 王小明 👩‍💻 محمد')
  const answers = await Promise.all(Array.from({ length: 20 }, () => request.get(`${invoice}/pdf`)))
  for (const answer of answers) {
    expect(answer.status()).toBe(200)
    expect(answer.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
  }
  const [first] = answers
  expect((await first?.body())?.subarray(0, 5).toString()).toBe('%PDF-')
  const headers = { 'if-none-match': first?.headers().etag ?? '' }
  expect((await request.get(`${invoice}/pdf`, { headers })).status()).toBe(304)
  expect((await request.get(`${invoice}x/pdf`)).status()).toBe(404)
})

test('an invoice in Swedish kronor states the VAT in euros and the exchange rate, and its UBL file has the tax currency EUR', async ({
  page,
  request,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'SE', currency: 'SEK' })
  await expect(payButton(page)).toContainText('SEK')
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  const order = await shop.api('GET', `/orders/${orderId}`)
  await page.goto(order.links.customerInvoice.href)
  const vat = /VAT in EUR: €\d+\.\d\d \(1 EUR = 11\.25 SEK\)\./
  await expect(page.locator('main')).toContainText(vat)
  const [stated = 'no text'] = vat.exec(((await page.locator('main').textContent()) ?? '').replaceAll(/\s/g, ' ')) ?? []
  const pdf = await request.get(`${order.links.customerInvoice.href}/pdf`)
  expect(await textOfPdf(new Uint8Array(await pdf.body()))).toContain(withoutSpaces(stated))
  const href = await page.getByRole('link', { name: 'E-invoice (XML)' }).getAttribute('href')
  const file = await request.get(new URL(href ?? '', page.url()).href)
  expect(file.status()).toBe(200)
  expect(file.headers()).toMatchObject({
    'content-type': 'application/xml; charset=utf-8',
    'content-disposition': `attachment; filename="${order.invoiceNumber}.xml"`,
    'x-content-type-options': 'nosniff',
  })
  expect(await file.text()).toContain('<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>')
  expect((await request.get(`${order.links.customerInvoice.href}x/ubl`)).status()).toBe(404)
})

test('the build of the pages contains the built worker for PDF files, and not the worker that needs source files', () => {
  const built = readdirSync('.next/server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  )
  const code = built.map((file) => readFileSync(`.next/server/${file}`, 'utf8'))
  expect(code.some((text) => text.includes('a drawing thread ended unexpectedly'))).toBe(true)
  expect(built.filter((_, index) => code[index]?.includes('worker-from-source'))).toEqual([])
})
