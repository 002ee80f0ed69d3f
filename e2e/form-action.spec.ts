import type { Page } from '@playwright/test'
import { aReceiver } from '../lib/testing/receiver.ts'
import { selfSigned } from '../lib/testing/self-signed.ts'
import { anOperator, logIn } from './operator.ts'
import { aCheckout } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

/** Chromium checks every redirect after a form post against `form-action`. The tests therefore follow the redirects to the shop; live.spec.ts follows the redirects to a provider. */

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
