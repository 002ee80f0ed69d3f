import { cli } from './shop.ts'
import { buy, cardExpires, clockTo, emailsOf, lastOrder, linkIn, pass } from './subscription.ts'
import { choose, expect, payButton, tabTo, test } from './test.ts'

test('a trial becomes a paid subscription, with events for the merchant and an invoice for the buyer', async ({
  page,
  shop,
  merchant,
  shopUrl,
}) => {
  await shop.api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  const trial = await buy(shop, shopUrl, {
    item: { trialDays: 14 },
    locale: 'en',
    buyer: { country: 'NL', taxId: '' },
  })
  expect(trial).toMatchObject({ status: 'trial', nextRenewalAt: trial.trialUntil, renewedAt: null })
  expect(await lastOrder(shop)).toMatchObject({ status: 'paid', total: { value: '0.00' } })

  await clockTo(shop, trial.trialUntil)
  expect(await shop.api('GET', `/subscriptions/${trial.id}`)).toMatchObject({
    status: 'active',
    trialUntil: null,
    renewedAt: trial.trialUntil,
  })
  const order = await lastOrder(shop)
  expect(order).toMatchObject({ status: 'paid', total: { value: '12.10' }, lines: [{ productId: trial.id }] })
  const names = ['checkout.paid', 'subscription.started', 'order.paid', 'subscription.updated', 'order.paid']
  await expect.poll(() => merchant.received.map(({ eventName }) => eventName)).toEqual(['webhook.setup', ...names])
  expect(merchant.received.at(-1)).toMatchObject({ object: order, verified: true })
  await page.goto(order.links.customerInvoice.href)
  await expect(page.locator('body')).toContainText(order.invoiceNumber)
  await expect(page.locator('body')).toContainText('€12.10')
})

/** Expects one payment attempt per card, and a paid order. */
async function expectPaid(shop: Parameters<typeof lastOrder>[0], subscriptionId: string, orderId: string) {
  await expect.poll(async () => (await shop.api('GET', `/orders/${orderId}`)).status).toBe('paid')
  const ledger = await cli('provider', 'ledger', '--order', orderId)
  expect(ledger).toMatchObject([{ status: 'failed', failureReason: 'card_expired' }, { status: 'paid' }])
  await pass(shop, 'P8D')
  expect(await shop.api('GET', `/subscriptions/${subscriptionId}`)).toMatchObject({
    status: 'active',
    cancellationReason: null,
  })
  expect(await emailsOf(shop)).toHaveLength(3)
}

test('without JavaScript, a buyer follows the email about an expired card and changes the card, in German', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl)
  const owed = await cardExpires(shop, subscription)
  await pass(shop, 'P6D')
  const emails = await emailsOf(shop)
  expect(emails.map(({ kind, to }) => [kind, to])).toEqual(Array(3).fill(['payment_method_needed', 'ada@example.com']))

  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  const phone = await context.newPage()
  const response = await phone.goto(linkIn(emails[1] ?? { text: '' }))
  expect(response?.status()).toBe(200)
  expect(response?.headers()).toMatchObject({ 'cache-control': 'no-store' })
  await expect(phone.locator('html')).toHaveAttribute('lang', 'de')
  await expect(phone.locator('main')).toContainText('10,00')
  await expect(phone.locator('main')).toContainText('Karte 4242 behalten')
  await expect(phone.locator('[name=paymentMethod][value=keep]')).not.toBeChecked()
  await expect(phone.locator('[name=city]')).toHaveValue('Berlin')
  await expect(phone.locator('button[name=intent]')).toHaveCount(0)
  await phone.locator('[name=paymentMethod][value=creditcard]').check()
  await payButton(phone).click()
  await choose(phone, 'paid')
  await expect(phone.locator('h1')).toHaveText('Gespeichert')
  await expect(phone.locator('main')).toContainText('10,00')
  await context.close()

  await expectPaid(shop, subscription.id, owed.id)
})

test('by keyboard, a buyer follows the email about an expired card and changes the card', async ({
  page,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl)
  const owed = await cardExpires(shop, subscription)
  await pass(shop, 'P6D')
  await page.goto(linkIn((await emailsOf(shop)).at(-1) ?? { text: '' }))
  await tabTo(page.locator('[name=fullName]'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Ada King')
  await tabTo(page.locator('[name=paymentMethod]'))
  await expect(page.locator('[name=paymentMethod][value=keep]')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[name=paymentMethod][value=creditcard]')).toBeChecked()
  await tabTo(page.locator('button[type=submit]'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/pay\//)
  await tabTo(page.locator('button[type=submit]'))
  await page.keyboard.press('Enter')
  await expect(page.locator('h1')).toHaveText('Gespeichert')
  await expectPaid(shop, subscription.id, owed.id)
  expect(await shop.api('GET', `/subscriptions/${subscription.id}`)).toMatchObject({
    billingAddress: { fullName: 'Ada King' },
  })
})

test('a subscription with an unpaid renewal is canceled after seven days, and its links expire', async ({
  page,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  const failed = { paymentStatus: 'failed', failureReason: 'card_lost_or_stolen' }
  await shop.api('POST', `/test-helpers/subscriptions/${id}/fast-forward-renewal`, failed)
  await expect.poll(async () => (await lastOrder(shop)).status).toBe('pending')
  await pass(shop, 'P6D')
  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({ status: 'active' })
  await pass(shop, 'P1D')
  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({
    status: 'canceled',
    cancellationReason: 'payment_failure',
    endedAt: expect.any(String),
    nextRenewalAt: null,
  })
  expect(await lastOrder(shop)).toMatchObject({ status: 'canceled', invoiceNumber: null })
  const emails = await emailsOf(shop)
  expect(emails.map(({ kind }) => kind)).toEqual([...Array(3).fill('payment_method_needed'), 'canceled_for_nonpayment'])
  const response = await page.goto(linkIn(emails[2] ?? { text: '' }))
  expect(response?.status()).toBe(410)
  await expect(page.locator('form')).toHaveCount(0)
  await expect(page.locator('h1')).toHaveText('Dieses Abonnement ist beendet')
})
