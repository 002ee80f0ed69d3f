import type { Page } from '@playwright/test'
import { aCheckout } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

/** What a browser loads and reads as script for an address, in bytes as sent. */
async function scriptBytes(page: Page, address: string): Promise<number> {
  const sizes: Promise<number>[] = []
  const count = (request: import('@playwright/test').Request) => {
    if (request.resourceType() === 'script') sizes.push(request.sizes().then((size) => size.responseBodySize))
  }
  page.on('requestfinished', count)
  await page.goto(address, { waitUntil: 'networkidle' })
  page.off('requestfinished', count)
  const inline = await page.locator('script:not([src])').evaluateAll((all) => all.map(({ textContent }) => textContent))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) + inline.join('').length
}

test.use({ timezoneId: 'America/New_York' })

/** What the script of the hosted pages may take in the document, before compression: all other pages have no more than this. */
const mostBytes = 8_000

test('hosted pages have one small script and no other, and show the reader’s time', async ({ page, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
  const small = async (address: string) => expect(await scriptBytes(page, address), address).toBeLessThan(mostBytes)
  await small(checkout.url)
  await fillBuyer(page, { paymentMethod: 'directdebit' })
  const sent = page.waitForRequest(/\/submit$/)
  await payButton(page).click()
  expect(new URLSearchParams((await sent).postData() ?? '').get('timeZone')).toBe('America/New_York')
  await page.waitForURL(/\/pay\//)
  await small(page.url())
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  await small(checkout.url)
  await expect(page.locator('time:not([data-part])').first()).toContainText(/GMT-\d|EST|EDT/)

  await shop.api('POST', '/test-helpers/clock/advance', { by: 'PT20M' })
  await small(checkout.url)
  const [order] = (await shop.api('GET', '/orders')).data
  await small(await page.locator('a[href*="/invoices/"]').getAttribute('href').then(String))
  await expect(page.locator('main')).toContainText(order.invoiceNumber)
  await small(`${checkout.url}x`)
  await small('/nothing-here')
})
