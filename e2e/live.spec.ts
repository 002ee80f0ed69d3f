import type { Page } from '@playwright/test'
import { startMollie } from '../lib/testing/stand-ins/mollie.ts'
import { startStripe } from '../lib/testing/stand-ins/stripe.ts'
import { aDatabase, killAll, start } from './own-service.ts'
import { apiOf, aStorefront, commandLine, type Shop } from './shop.ts'
import { expect, fillBuyer, payButton, test } from './test.ts'

test.afterEach(killAll)

type Pay = (page: Page, newCheckout: (productId: string) => Promise<string>, api: Shop['api']) => Promise<void>

const payByTransfer: Pay = async (page, newCheckout, api) => {
  const basePrice = { value: '10.00', currency: 'EUR' }
  const product = { name: 'Handbook', description: 'x', productType: 'ebook', basePrice }
  const { id } = await api('POST', '/one-off-products', product)
  const address = await newCheckout(id)
  await page.goto(address)
  await fillBuyer(page, { country: 'NL', paymentMethod: 'banktransfer' })
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Please transfer €12.10' })).toBeVisible()
  expect(page.url()).toBe(address)
  await expect(page.locator('form [name=paymentMethod]')).toHaveCount(0)
}
const payOnlyByCard: Pay = async () => {}

for (const { name, start: startProvider, payOtherwise, also } of [
  { name: 'mollie', start: startMollie, payOtherwise: payByTransfer, also: ', and a bank transfer shows bank details' },
  { name: 'stripe', start: startStripe, payOtherwise: payOnlyByCard, also: '' },
])
  test(`a live checkout can be paid at ${name} if the provider’s key is configured${also}`, async ({
    page,
    shopUrl,
  }) => {
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text())
    })
    const provider = await startProvider()
    const environment = {
      DATABASE_URL: await aDatabase(`live_${name}`),
      [`${name.toUpperCase()}_API_KEY`]: provider.apiKey,
      [`${name.toUpperCase()}_API_BASE`]: provider.url,
    }
    const cli = commandLine(environment)
    const { liveKey } = await aStorefront(cli)
    const service = await start('all', environment)
    const api = apiOf(service, liveKey)
    const { id } = await api('POST', '/subscription-plans', {
      name: 'Pro',
      description: 'For teams',
      productType: 'saas',
      interval: 'month',
      intervalCount: 1,
      basePrice: { value: '10.00', currency: 'EUR' },
    })
    const newCheckout = async (id: string, locale = 'en') => {
      await cli('review', 'start', '--id', id)
      await cli('review', 'approve', '--id', id)
      const urls = { redirectUrlSuccess: `${shopUrl}/thanks`, redirectUrlCanceled: `${shopUrl}/basket` }
      return api('POST', '/checkouts', { products: [{ id }], locale, ...urls })
    }
    const checkout = await newCheckout(id, 'pl')

    await page.setViewportSize({ width: 390, height: 844 })
    const headers = (await page.goto(checkout.links.checkoutUrl.href))?.headers() ?? {}
    expect(headers['content-security-policy']).toContain(`form-action 'self' https: ${shopUrl} ${provider.url};`)
    await expect(page.locator('[name=paymentMethod][value=directdebit]')).toBeHidden()
    await fillBuyer(page, { country: 'PL' })
    await payButton(page).click()
    await page.waitForURL(`${provider.url}/checkout/**`)
    await page.locator('button[value=canceled]').click()
    await page.waitForURL(checkout.links.checkoutUrl.href)
    await expect(page.locator('[name=fullName]')).toHaveValue('Ada Lovelace')

    await payButton(page).click()
    await page.waitForURL(`${provider.url}/checkout/**`)
    await page.locator('button[value=paid]').click()
    await page.waitForURL(`${shopUrl}/thanks`)
    const { orderId } = await api('GET', `/checkouts/${checkout.id}`)
    const order = await api('GET', `/orders/${orderId}`)
    expect(order).toMatchObject({ status: 'paid', testmode: false, invoiceNumber: expect.stringMatching(/-000001$/) })
    expect((await api('GET', '/subscriptions')).data).toMatchObject([
      { status: 'active', mandate: { method: 'card', maskedIdentifier: '6787' } },
    ])
    expect(await (await fetch(`${service}/readyz`)).json()).toMatchObject({ payments: 'ok' })
    expect(await cli('reconciliation', 'run')).toEqual([])
    await payOtherwise(page, async (id) => (await newCheckout(id)).links.checkoutUrl.href, api)
    expect(violations).toEqual([])
    await provider.close()
  })
