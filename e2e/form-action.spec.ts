import type { Page } from '@playwright/test'
import { aReceiver } from '../lib/testing/receiver.ts'
import { selfSigned } from '../lib/testing/self-signed.ts'
import { startMollie } from '../lib/testing/stand-ins/mollie.ts'
import { anOperator, logIn } from './operator.ts'
import { aDatabase, killAll, start } from './own-service.ts'
import { aCheckout, apiOf, aStorefront, commandLine } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

/** Chromium checks every redirect after a form post against `form-action`. The tests therefore follow the redirects to the shop and to the provider. */

test.afterEach(killAll)

const violations: string[] = []
const watch = (page: Page) =>
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text())
  })
test.beforeEach(({ page }) => {
  violations.length = 0
  watch(page)
})
test.afterEach(() => expect(violations).toEqual([]))

const sourcesOf = async (page: Page, url: string) => {
  const headers = (await page.goto(url))?.headers() ?? {}
  return /form-action ([^;]+)/.exec(headers['content-security-policy'] ?? '')?.[1]
}

/** An https shop that redirects every visitor, for example to `www.` or to a log-in. */
async function aShopThatMoved() {
  const server = await aReceiver((response, { path }) => {
    if (path === '/welcome') response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title>')
    else response.writeHead(302, { location: `https://localhost:${server.port}/welcome` }).end()
  }, selfSigned)
  const [address, welcome] = [`https://127.0.0.1:${server.port}`, `https://localhost:${server.port}/welcome`]
  return { address, welcome, close: server.close }
}

test.describe('the Content-Security-Policy of a checkout lets the shop redirect the buyer to another origin', () => {
  test.use({ ignoreHTTPSErrors: true })

  for (const paymentMethod of ['creditcard', 'directdebit'])
    test(`after a payment by ${paymentMethod}, a buyer reaches the page to which the shop redirects`, async ({
      page,
      shop,
    }) => {
      const { address, welcome, close } = await aShopThatMoved()
      const checkout = await aCheckout(shop, address)
      expect(await sourcesOf(page, checkout.url)).toBe("'self' https:")
      await fillBuyer(page, { paymentMethod })
      await payButton(page).click()
      await choose(page, 'paid')
      await page.waitForURL(welcome)
      await close()
    })

  test('after a cancellation, a buyer reaches the page to which the shop redirects', async ({ page, shop }) => {
    const { address, welcome, close } = await aShopThatMoved()
    await page.goto((await aCheckout(shop, address)).url)
    await page.locator('summary', { hasText: 'Cancel and go back' }).click()
    await page.locator('button[name=intent][value=cancel]').click()
    await page.waitForURL(welcome)
    await close()
  })
})

test('the log-in form and the form for API keys may lead only to pages of the admin area', async ({
  page,
  baseURL,
  shop,
}) => {
  expect(await sourcesOf(page, `${baseURL}/admin/sign-in`)).toBe("'self'")
  await logIn(page, baseURL, await anOperator())
  expect(await sourcesOf(page, `${baseURL}/admin/test/${shop.storefrontId}/keys`)).toBe("'self'")
  await page.getByRole('radio', { name: 'Read only' }).check()
  await page.getByRole('button', { name: 'Issue a key' }).click()
  await expect(page.getByRole('status')).toHaveText('The key is issued.')
  const key = (await page.locator('main code').first().textContent()) ?? ''
  expect((await shop.api('GET', '/customers', undefined, key)).data).toEqual([])
  await expect(shop.api('POST', '/customers', { email: 'ada@example.com' }, key)).rejects.toThrow('insufficient_scope')
})

test('a live checkout leads to the page of the provider, and a bank transfer shows bank details', async ({
  page,
  shopUrl,
}) => {
  const mollie = await startMollie()
  const environment = {
    DATABASE_URL: await aDatabase('form_action'),
    MOLLIE_API_KEY: mollie.apiKey,
    MOLLIE_API_BASE: mollie.url,
  }
  const cli = commandLine(environment)
  const { liveKey } = await aStorefront(cli)
  const service = await start('all', environment)
  const api = apiOf(service, liveKey)
  const basePrice = { value: '10.00', currency: 'EUR' }
  const product = { name: 'Handbook', description: 'x', productType: 'ebook', basePrice }
  const { id } = await api('POST', '/one-off-products', product)
  await cli('review', 'start', '--id', id)
  await cli('review', 'approve', '--id', id)
  const urls = { redirectUrlSuccess: `${shopUrl}/thanks`, redirectUrlCanceled: `${shopUrl}/basket` }
  const aLiveCheckout = async () =>
    (await api('POST', '/checkouts', { products: [{ id }], ...urls })).links.checkoutUrl.href

  expect(await sourcesOf(page, await aLiveCheckout())).toBe(`'self' https: ${shopUrl} ${mollie.url}`)
  await fillBuyer(page, { country: 'NL' })
  await payButton(page).click()
  await page.waitForURL(`${mollie.url}/checkout/**`)
  await page.locator('button[value=paid]').click()
  await page.waitForURL(`${shopUrl}/thanks`)

  const transferred = await aLiveCheckout()
  await page.goto(transferred)
  await fillBuyer(page, { country: 'NL', paymentMethod: 'banktransfer' })
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Please transfer €12.10' })).toBeVisible()
  expect(page.url()).toBe(transferred)
  await expect(page.locator('form [name=paymentMethod]')).toHaveCount(0)
  await mollie.close()
})
