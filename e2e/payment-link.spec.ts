import { aPlan, type Shop } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

const aLink = async (shop: Shop, differences: object = {}) =>
  shop.api('POST', '/payment-links', {
    name: 'Pricing page',
    items: [{ id: await aPlan(shop), quantity: 2, minQuantity: 1, maxQuantity: 50 }],
    ...differences,
  })

const checkoutsOf = async (shop: Shop) => (await shop.api('GET', '/checkouts')).data

test('without JavaScript, a buyer buys three seats through a payment link and reaches the receipt', async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'de-DE',
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  const link = await aLink(shop)
  expect((await page.goto(link.url))?.status()).toBe(200)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.locator('[name="quantity.0"]').fill('3')
  await fillBuyer(page, { country: 'DE' })
  expect(await checkoutsOf(shop)).toEqual([])
  await payButton(page).click()

  // Without JavaScript, the total does not update, so the checkout asks the buyer to confirm the new total.
  await expect(page).toHaveURL(/\/checkout\//)
  await expect(page.locator('main')).toContainText('35,70')
  await payButton(page).click()
  await choose(page, 'paid')
  await expect(page).toHaveURL(/\/checkout\//)
  const [checkout, ...others] = await checkoutsOf(shop)
  expect(others).toEqual([])
  expect(checkout).toMatchObject({ status: 'paid', paymentLinkId: link.id })
  const order = await shop.api('GET', `/orders/${checkout.orderId}`)
  expect(order).toMatchObject({ total: { value: '35.70' }, lines: [{ quantity: 3 }] })
  await expect(page.locator('main')).toContainText(order.invoiceNumber)
  await context.close()
})

test('with JavaScript, the total updates with the quantity, and the buyer returns to the shop after the payment', async ({
  page,
  shop,
  shopUrl,
}) => {
  const link = await aLink(shop, { locale: 'en', redirectUrlSuccess: `${shopUrl}/thanks?checkout={CHECKOUT_ID}` })
  await page.goto(link.url)
  await fillBuyer(page, { country: 'DE' })
  await page.locator('[name="quantity.0"]').fill('4')
  await expect(payButton(page)).toContainText('47.60')
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(`${shopUrl}/thanks?checkout=*`)
  expect(await checkoutsOf(shop)).toMatchObject([{ status: 'paid', paymentLinkId: link.id }])
})

test('the page of an ended payment link states that the offer has ended, and an unknown link gets 404', async ({
  page,
  shop,
  baseURL,
}) => {
  const link = await aLink(shop, { locale: 'en' })
  await shop.api('PATCH', `/payment-links/${link.id}`, { active: false })
  expect((await page.goto(link.url))?.status()).toBe(410)
  await expect(page.locator('h1')).toHaveText('This offer has ended')
  expect((await page.goto(`${baseURL}/buy/${'0'.repeat(22)}`))?.status()).toBe(404)
})
