import { startMollie } from '../lib/testing/stand-ins/mollie.ts'
import { startStripe } from '../lib/testing/stand-ins/stripe.ts'
import { aDatabase, killAll, start } from './own-service.ts'
import { apiOf, aStorefront, commandLine } from './shop.ts'
import { expect, fillBuyer, payButton, test } from './test.ts'

test.afterEach(killAll)

for (const { name, start: startProvider } of [
  { name: 'mollie', start: startMollie },
  { name: 'stripe', start: startStripe },
])
  test(`a live checkout can be paid at ${name} if the provider’s key is configured`, async ({ page, shopUrl }) => {
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
    await cli('review', 'start', '--id', id)
    await cli('review', 'approve', '--id', id)
    const checkout = await api('POST', '/checkouts', {
      products: [{ id }],
      locale: 'pl',
      redirectUrlSuccess: `${shopUrl}/thanks`,
      redirectUrlCanceled: `${shopUrl}/basket`,
    })

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(checkout.links.checkoutUrl.href)
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
    await provider.close()
  })
