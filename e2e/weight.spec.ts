import type { Page, Request } from '@playwright/test'
import { shiftsOf } from './screens.ts'
import { aCheckout } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

test.use({ timezoneId: 'America/New_York' })

/**
 * The maximum total size of the files of each kind, in kilobytes (1,000 bytes) as sent. Document and stylesheet have
 * low limits, because the browser shows nothing before it has both.
 */
const mostKilobytes = { document: 40, stylesheet: 15, script: 130 }

type Kind = keyof typeof mostKilobytes

async function heavyFilesOf(page: Page, address: string): Promise<string[]> {
  const sizes: Record<Kind, number> = { document: 0, stylesheet: 0, script: 0 }
  const read: Promise<void>[] = []
  const count = (request: Request) => {
    const kind = request.resourceType()
    if (!(kind in sizes)) return
    read.push(
      request.sizes().then(({ responseBodySize }) => {
        sizes[kind as Kind] += responseBodySize
      }),
    )
  }
  page.on('requestfinished', count)
  await page.goto(address, { waitUntil: 'networkidle' })
  page.off('requestfinished', count)
  await Promise.all(read)
  expect(sizes.document).toBeGreaterThan(0)
  return Object.entries(sizes).flatMap(([kind, bytes]) =>
    bytes > mostKilobytes[kind as Kind] * 1_000 ? [`${address}: ${bytes} bytes of ${kind}`] : [],
  )
}

test('hosted pages stay within their size limits, do not shift, log no error, and show local time', async ({
  page,
  shop,
  shopUrl,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const isWell = async (address: string) => {
    expect(await heavyFilesOf(page, address)).toEqual([])
    expect(await shiftsOf(page)).toEqual([])
  }
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
  await isWell(checkout.url)
  await fillBuyer(page, { paymentMethod: 'directdebit' })
  const sent = page.waitForRequest(/\/submit$/)
  await payButton(page).click()
  expect(new URLSearchParams((await sent).postData() ?? '').get('timeZone')).toBe('America/New_York')
  await page.waitForURL(/\/pay\//)
  await isWell(page.url())
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  expect(await heavyFilesOf(page, checkout.url)).toEqual([])
  await expect(page.locator('time').first()).toContainText(/GMT-\d|EST|EDT/)

  await shop.api('POST', '/test-helpers/clock/advance', { by: 'PT20M' })
  await isWell(checkout.url)
  const [order] = (await shop.api('GET', '/orders')).data
  await isWell(await page.locator('a[href*="/invoices/"]').getAttribute('href').then(String))
  await expect(page.locator('main')).toContainText(order.invoiceNumber)
  expect(complaints).toEqual([])
  await isWell(`${checkout.url}x`)
  await isWell('/nothing-here')
})

test('the checkout keeps input that is entered before the scripts load, and the total reflects the input', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en', billingAddress: { country: 'US' } })
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(checkout.url, { waitUntil: 'commit' })
  await page.locator('[name=email]').fill('ada@example.com')
  await page.locator('[name=country]').selectOption('NL')
  await page.locator('[name=paymentMethod][value=paypal]').check()
  release()
  await expect(page.locator('form[data-followed]')).toBeAttached()
  await expect(payButton(page)).toContainText('€48.39')
  await expect(page.locator('[name=email]')).toHaveValue('ada@example.com')
  await expect(page.locator('[name=country]')).toHaveValue('NL')
  await expect(page.locator('[name=paymentMethod][value=paypal]')).toBeChecked()
})
