import { aCheckout, cli } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

test('a declined buyer sees the reason and the entered values, and pays the same order at the second attempt', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  await fillBuyer(page, { city: 'Berlin' })
  await payButton(page).click()
  await choose(page, 'failed', { failureReason: 'insufficient_funds' })
  await page.waitForURL(checkout.url)
  await expect(page.locator('[name=city]')).toHaveValue('Berlin')
  await expect(page.locator('main')).toContainText(/funds|money/i)
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'failed', orderId: null })
  const before = (await shop.api('GET', '/orders')).data[0].id
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid', orderId: before })
})

test('canceling on the provider’s page leads to the form, and canceling on the form leads to the shop', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  await fillBuyer(page)
  await payButton(page).click()
  await choose(page, 'canceled')
  await page.waitForURL(checkout.url)
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'created' })
  // Opening a page of the shop does not cancel the checkout, so the back button shows the form.
  await page.goto(checkout.canceled)
  await page.goBack()
  await expect(page.locator('[name=fullName]')).toHaveValue('Ada Lovelace')
  await expect(page.locator('button[name=intent][value=cancel]')).toBeHidden()
  await page.locator('summary', { hasText: 'Cancel and go back' }).click()
  await page.locator('button[name=intent][value=cancel]').click()
  await page.waitForURL(checkout.canceled)
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'canceled' })
  expect((await page.goto(checkout.url))?.status()).toBe(410)
})

test('an expired checkout gets 410, and an unknown checkout gets 404', async ({ page, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl)
  const moved = await cli('clock', 'advance', '--storefront', shop.storefrontId, '--by', '25h')
  expect(moved).toMatchObject({ ran: 1, remaining: 0 })
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'expired' })
  expect((await page.goto(checkout.url))?.status()).toBe(410)
  expect((await page.goto(`${checkout.url}x`))?.status()).toBe(404)
})

test('after payment by direct debit, a checkout has no form, says that the bank processes the debit, and is paid when the bank confirms the payment', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
  await page.goto(checkout.url)
  await fillBuyer(page, { paymentMethod: 'directdebit' })
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  const pending = await shop.api('GET', `/checkouts/${checkout.id}`)
  expect(pending).toMatchObject({ status: 'created', orderId: null, customerId: expect.stringMatching(/^customer_/) })
  expect((await shop.api('GET', '/subscriptions')).data).toMatchObject([{ status: 'created', startedAt: null }])
  expect((await shop.api('GET', '/orders')).data).toMatchObject([{ status: 'pending' }])
  expect((await page.goto(checkout.url))?.status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ihre Zahlung ist unterwegs')
  await expect(page.locator('main')).toContainText('Ihre Bank bearbeitet die SEPA-Lastschrift über 47,59')
  await expect(page.locator('form')).toHaveCount(0)

  expect((await shop.api('POST', '/test-helpers/clock/advance', { by: 'PT9M' })).remaining).toBe(0)
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'created' })
  await shop.api('POST', '/test-helpers/clock/advance', { by: 'PT6M' })
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
  expect((await shop.api('GET', '/subscriptions')).data).toMatchObject([
    { status: 'active', mandate: { method: 'sepa_debit', maskedIdentifier: 'NL91****4300' } },
  ])
})

test('if the installation has no provider of live payments, the page of a live checkout has no form', async ({
  page,
  shop,
  shopUrl,
}) => {
  const created = await shop.api(
    'POST',
    '/one-off-products',
    { name: 'Live one', description: 'x', basePrice: { value: '5.00', currency: 'EUR' }, productType: 'saas' },
    shop.liveKey,
  )
  expect(created.status).toBe('pending')
  expect((await cli('review', 'list')).map((item: { id: string }) => item.id)).toContain(created.id)
  await cli('review', 'start', '--id', created.id)
  await cli('review', 'approve', '--id', created.id)
  const checkout = await shop.api(
    'POST',
    '/checkouts',
    { products: [{ id: created.id }], redirectUrlSuccess: shopUrl, redirectUrlCanceled: shopUrl },
    shop.liveKey,
  )
  const response = await page.goto(checkout.links.checkoutUrl.href)
  expect(response?.status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payments are not set up yet')
  await expect(page.locator('form')).toHaveCount(0)
})

test('a checkout creates one order despite two tabs, two clicks, and the back button', async ({
  page,
  context,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl)
  const other = await context.newPage()
  await Promise.all([page.goto(checkout.url), other.goto(checkout.url)])
  await Promise.all([fillBuyer(page), fillBuyer(other)])
  await Promise.all([payButton(page).dblclick(), payButton(other).click()])
  await Promise.all([page.waitForURL(/\/pay\//), other.waitForURL(/\/pay\//)])
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  await choose(other, 'failed')
  await other.waitForURL((url) => !url.pathname.startsWith('/pay/'))
  await page.goBack()
  await page.goto(checkout.url)
  expect((await shop.api('GET', '/orders')).data).toMatchObject([{ status: 'paid' }])
  expect((await shop.api('GET', '/subscriptions')).count).toBe(1)
})
