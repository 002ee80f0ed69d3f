import type { Page } from '@playwright/test'
import { aCheckout, aPlan } from './shop.ts'
import { choose, expect, fillBuyer, payButton, tabTo, test } from './test.ts'

test('an Austrian company buys a plan and a product in German, and the merchant gets the events in order', async ({
  page,
  shop,
  merchant,
  shopUrl,
}) => {
  await shop.api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  expect(merchant.received).toMatchObject([{ eventName: 'webhook.setup', verified: true }])
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de-AT', metadata: { cart: '7' } })

  await page.goto(checkout.url)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await fillBuyer(page, { country: 'AT', taxId: 'ATU12345678', companyName: 'Analytical Engines GmbH' })
  await expect(payButton(page)).toContainText('39,99')
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)

  const paid = await shop.api('GET', `/checkouts/${checkout.id}`)
  expect(paid).toMatchObject({ status: 'paid', metadata: { cart: '7' } })
  const order = await shop.api('GET', `/orders/${paid.orderId}`)
  expect(order).toMatchObject({
    status: 'paid',
    total: { value: '39.99', currency: 'EUR' },
    taxSummary: [{ taxRate: { name: 'Reverse charge', percentage: 0 }, amount: { value: '0.00' } }],
    customerDetails: { companyName: 'Analytical Engines GmbH', taxId: 'ATU12345678', country: 'AT' },
  })
  const { data: subscriptions } = await shop.api('GET', `/customers/${paid.customerId}/subscriptions`)
  expect(subscriptions).toMatchObject([{ status: 'active', mandate: { method: 'card', maskedIdentifier: '4242' } }])

  await expect
    .poll(() => merchant.received.map((event) => event.eventName))
    .toEqual(['webhook.setup', 'checkout.paid', 'subscription.started', 'order.paid'])
  expect(merchant.received.every((event) => event.verified)).toBe(true)
  expect(merchant.received.at(-1)?.object).toEqual(order)

  await page.goto(order.links.customerInvoice.href)
  await expect(page.locator('body')).toContainText(order.invoiceNumber)
  await expect(page.locator('body')).toContainText('Steuerschuldnerschaft des Leistungsempfängers')
  await page.goto(checkout.url)
  await expect(page.locator('body')).toContainText(order.invoiceNumber)
})

test('without JavaScript, a buyer corrects the form, sees the final total on the payment page, and completes the sale', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'pl-PL',
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'HU', email: 'not an address' })
  await payButton(page).click()
  await expect(page.locator('#problems')).toBeVisible()
  await expect(page.locator('[name=fullName]')).toHaveValue('Ada Lovelace')
  await page.locator('[name=email]').fill('ada@example.com')
  await page.locator('[name=country]').selectOption('LU')
  await payButton(page).click()
  await expect(page.locator('body')).toContainText('46,79')
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  const order = await shop.api('GET', `/orders/${orderId}`)
  expect(order.taxSummary[0].taxRate.percentage).toBe(17)
  await context.close()
})

test('the checkout of a trial charges nothing today, states the day of the first charge, and can be completed after a declined first attempt', async ({
  page,
  shop,
  shopUrl,
}) => {
  const id = await aPlan(shop)
  const checkout = await aCheckout(shop, shopUrl, { products: [{ id, trialDays: 14 }], locale: 'en' })
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'NL' })
  await expect(page.locator('main')).toContainText(
    /Nothing today\.\s€12\.10\severy month\sfrom\s\d+\s\w+\s\d{4}, unless/,
  )
  await payButton(page).click()
  await choose(page, 'failed', { failureReason: 'card_expired' })
  await page.waitForURL(checkout.url)
  await expect(page.locator('main')).toContainText('The payment method was declined')
  expect(await shop.api('GET', `/checkouts/${checkout.id}`)).toMatchObject({ status: 'created' })
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  const { orderId, customerId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  expect(await shop.api('GET', `/orders/${orderId}`)).toMatchObject({
    status: 'paid',
    invoiceNumber: null,
    total: { value: '0.00' },
    lines: [{ productType: 'auth_request_product', productId: null }],
  })
  const { data } = await shop.api('GET', `/customers/${customerId}/subscriptions`)
  expect(data).toMatchObject([{ status: 'trial', trialUntil: expect.any(String), nextRenewalAt: data[0].trialUntil }])
  await page.goto(checkout.url)
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(data[0].trialUntil))
  await expect(page.locator('main')).toContainText(`€12.10 on ${day}`)
})

test('without JavaScript, the checkout of a trial shows the renewal price including tax', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const id = await aPlan(shop)
  const checkout = await aCheckout(shop, shopUrl, { products: [{ id, trialDays: 14 }], locale: 'de' })
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  const page = await context.newPage()
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'HU' })
  await payButton(page).click()
  await expect(page.locator('main')).toContainText('Der Preis hat sich geändert')
  await expect(page.locator('main')).toContainText('12,70 €')
  await expect(page.locator('[name=fullName]')).toHaveValue('Ada Lovelace')
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`a free sale requires only an email address, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const { id } = await shop.api('POST', '/one-off-products', {
      name: 'Handbook',
      description: 'As an e-book',
      basePrice: { value: '0.00', currency: 'EUR' },
      productType: 'ebook',
    })
    const checkout = await aCheckout(shop, shopUrl, { products: [{ id }], locale: 'de' })
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    await page.goto(checkout.url)
    await page.locator('[name=email]').fill('ada@example.com')
    await expect(page.locator('[name=paymentMethod]').first()).toBeHidden()
    await expect(page.locator('[name=beginAtOnce]')).toBeHidden()
    await expect(payButton(page)).toHaveText('Bestellung abschließen')
    await payButton(page).click()
    await page.waitForURL(checkout.success)
    await context.close()
    const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
    expect(await shop.api('GET', `/orders/${orderId}`)).toMatchObject({ status: 'paid', paymentMethod: null })
  })
}

test('a buyer in the US can pay in dollars', async ({ page, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'US', currency: 'USD' })
  await expect(payButton(page)).toContainText('$')
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  const order = await shop.api('GET', `/orders/${orderId}`)
  expect(order.total.currency).toBe('USD')
  expect(order.lines[0].basePrice).toEqual({ value: '10.85', currency: 'USD' })
})

/** Delays price quotes until the returned function is called. The returned function resolves after the next quote has arrived. */
async function holdQuotes(page: Page): Promise<() => Promise<void>> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/quote\?/, async (route) => {
    await held
    await route.continue()
  })
  const answered = page.waitForResponse(/\/quote\?/)
  return async () => {
    release()
    await (await answered).finished()
  }
}

test('a payment method keeps the focus while the methods of another country load', async ({ page, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  const answer = await holdQuotes(page)
  await page.locator('[name=country]').selectOption('AT')
  const card = page.locator('[name=paymentMethod][value=creditcard]')
  await card.focus()
  await answer()
  await expect(page.locator('[name=paymentMethod][value=directdebit]')).toBeEnabled()
  await expect(card).toBeFocused()
})

test('a click on the pay button submits the form even if a new total arrives between mouse down and mouse up', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'US' })
  await expect(page.locator('html')).not.toHaveAttribute('data-asking')
  const total = await payButton(page).textContent()
  const answer = await holdQuotes(page)
  await page.locator('[name=country]').selectOption('DE')
  await payButton(page).hover()
  await page.mouse.down()
  await answer()
  await expect(payButton(page)).toHaveText(total ?? '')
  await page.mouse.up()
  await page.waitForURL(/\/pay\//)
  await expect(page.locator('main')).not.toContainText('39.99')
})

test('a buyer pays a checkout by keyboard', async ({ page, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  for (const [field, typed] of [
    ['email', 'ada@example.com'],
    ['country', 'Austria'],
    ['fullName', 'Ada Lovelace'],
  ]) {
    await tabTo(page.locator(`[name=${field}]`))
    await page.keyboard.type(typed ?? '')
  }
  await expect(payButton(page)).toContainText('€47.99')
  await tabTo(page.locator('[name=paymentMethod]'))
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[name=paymentMethod][value=paypal]')).toBeChecked()
  await tabTo(page.locator('button[type=submit]'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/pay\//)
  await tabTo(page.locator('[name=outcome]'))
  await page.keyboard.press('Space')
  await expect(page.locator('[name=outcome][value=paid]')).toBeChecked()
  await tabTo(page.locator('button[type=submit]'))
  await page.keyboard.press('Enter')
  await page.waitForURL(checkout.success)
  const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  expect(await shop.api('GET', `/orders/${orderId}`)).toMatchObject({ status: 'paid', paymentMethod: 'paypal' })
})
