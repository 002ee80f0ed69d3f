import type { Page } from '@playwright/test'
import { onEveryScreen } from './screens.ts'
import type { Shop } from './shop.ts'
import { buy, cardExpires, lastOrder, pass } from './subscription.ts'
import { choose, expect, payButton, test } from './test.ts'

async function aLink(shop: Shop, id: string, shopUrl: string, differences: object = {}): Promise<string> {
  const { href, type } = await shop.api('POST', `/subscriptions/${id}/billing-update-link`, {
    redirectUrlSuccess: `${shopUrl}/updated?kept=1`,
    redirectUrlCanceled: `${shopUrl}/account`,
    ...differences,
  })
  expect(type).toBe('text/html')
  return href
}

const method = (page: Page, value: string) => page.locator(`[name=paymentMethod][value=${value}]`)

test('a link from the shop opens the billing details, and the buyer returns to the shop after the change', async ({
  page,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl, { locale: 'en' })
  await page.goto(await aLink(shop, id, shopUrl))
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.locator('main')).toContainText('€10.00')
  await expect(page.locator('[name=taxId]')).toHaveValue('DE1')
  await expect(method(page, 'keep')).toBeChecked()
  for (const disabled of ['banktransfer', 'paybybank']) await expect(method(page, disabled)).toBeDisabled()
  await page.locator('[name=country]').selectOption('NL')
  await page.locator('[name=city]').fill('Delft')
  await method(page, 'paypal').check()
  await payButton(page).click()
  await choose(page, 'failed', { failureReason: 'account_closed' })
  await expect(page.locator('main')).toContainText('The payment method was declined')
  await expect(page.locator('[name=city]')).toHaveValue('Delft')
  await expect(method(page, 'paypal')).toBeChecked()
  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({
    billingAddress: { country: 'DE' },
    mandate: { method: 'card' },
  })
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(`${shopUrl}/updated?kept=1`)

  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({
    billingAddress: { fullName: 'Ada Lovelace', country: 'NL', city: 'Delft', taxId: 'DE1' },
    mandate: { method: 'paypal', maskedIdentifier: 'j***@example.com' },
  })
  expect(await lastOrder(shop)).toMatchObject({
    status: 'paid',
    total: { value: '0.00' },
    invoiceNumber: null,
    lines: [{ productType: 'billing_details_verification' }],
  })
  await page.goto(await aLink(shop, id, shopUrl))
  await expect(page.locator('main')).toContainText('€12.10')
})

test('on the billing page, a new country or tax ID updates the next charge and the hint on the tax ID', async ({
  page,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl, { locale: 'en' })
  await page.goto(await aLink(shop, id, shopUrl))
  for (const [country, taxId, words, total] of [
    ['NL', 'NL1', 'same country, so tax applies', '€12.10'],
    ['FR', 'DE1', 'could not confirm this number, so tax applies', '€12.00'],
    ['FR', 'FR1', 'You account for the tax yourself', '€10.00'],
  ] as const) {
    await page.locator('[name=country]').selectOption(country)
    await page.locator('[name=taxId]').fill(taxId)
    await expect(page.locator('#taxId-hint')).toContainText(words)
    await expect(page.locator('dl')).toContainText(total)
    await expect(page.locator('form').first()).toContainText(`Next charge: ${total}`)
  }
  expect((await shop.api('GET', `/subscriptions/${id}`)).billingAddress).toMatchObject({ country: 'DE', taxId: 'DE1' })
})

test('billing details prefilled by the merchant are not stored until the buyer confirms', async ({
  page,
  shop,
  shopUrl,
}) => {
  const before = await buy(shop, shopUrl)
  await page.goto(await aLink(shop, before.id, shopUrl, { billingAddress: { city: 'Lyon', country: 'FR' } }))
  await expect(page.locator('[name=city]')).toHaveValue('Lyon')
  await expect(page.locator('[name=country]')).toHaveValue('FR')
  await expect(page.locator('[name=fullName]')).toHaveValue('')
  await page.locator('button[name=intent][value=cancel]').click()
  await page.waitForURL(`${shopUrl}/account`)
  expect(await shop.api('GET', `/subscriptions/${before.id}`)).toEqual(before)
})

for (const javaScriptEnabled of [true, false]) {
  test(`the billing form shows errors and keeps entered values ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const { id } = await buy(shop, shopUrl, { locale: 'pl' })
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } })
    const phone = await context.newPage()
    await phone.goto(await aLink(shop, id, shopUrl))
    await expect(phone.locator('html')).toHaveAttribute('lang', 'pl')
    await phone.locator('[name=fullName]').fill('')
    await phone.locator('[name=streetAndNumber]').fill('ul. Długa 1')
    await phone.locator('[name=companyName]').fill('x'.repeat(256))
    await method(phone, 'paypal').check()
    await payButton(phone).click()
    await expect(phone.locator('#problems')).toBeFocused()
    await expect(phone.locator('#problems a')).toHaveCount(2)
    await expect(phone.locator('[name=streetAndNumber]')).toHaveValue('ul. Długa 1')
    await expect(phone.locator('[name=companyName]')).toHaveValue('x'.repeat(256))
    await expect(phone.locator('[name=companyName]')).toBeVisible()
    await expect(phone.locator('[name=fullName]')).toHaveAttribute('aria-invalid', 'true')
    await expect(method(phone, 'paypal')).toBeChecked()
    await phone.locator('#problems a[href="#fullName"]').click()
    await expect(phone.locator('[name=fullName]')).toBeFocused()
    await phone.locator('[name=fullName]').fill('Zofia Nałkowska')
    await phone.locator('[name=companyName]').fill('')
    await payButton(phone).click()
    await choose(phone, 'paid')
    await phone.waitForURL(`${shopUrl}/updated?kept=1`)
    await context.close()
    expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({
      billingAddress: { fullName: 'Zofia Nałkowska', companyName: null, streetAndNumber: 'ul. Długa 1' },
      mandate: { method: 'paypal' },
    })
  })
}

test('a link to billing details expires after a day, and an altered link gets 404', async ({ page, shop, shopUrl }) => {
  const { id } = await buy(shop, shopUrl)
  const link = await aLink(shop, id, shopUrl)
  await page.goto(link)
  await pass(shop, 'PT24H')
  await method(page, 'paypal').check()
  await payButton(page).click()
  await expect(page.locator('h1')).toHaveText('Dieser Link ist abgelaufen')
  expect((await page.goto(link))?.status()).toBe(410)
  await expect(page.locator('form')).toHaveCount(0)
  expect((await page.goto(`${link}x`))?.status()).toBe(404)
  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({ mandate: { method: 'card' } })
})

test('two clicks, two tabs, and the back button change the payment method only once', async ({
  page,
  context,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  const link = await aLink(shop, id, shopUrl)
  const other = await context.newPage()
  await Promise.all([page.goto(link), other.goto(link)])
  await Promise.all([method(page, 'paypal').check(), method(other, 'paypal').check()])
  await Promise.all([payButton(page).dblclick(), payButton(other).click()])
  await Promise.all([page.waitForURL(/\/pay\//), other.waitForURL(/\/pay\//)])
  expect(other.url()).toBe(page.url())
  await Promise.all([choose(page, 'paid'), choose(other, 'paid')])
  await Promise.all([page.waitForURL(/updated/), other.waitForURL(/updated/)])
  expect((await shop.api('GET', '/orders')).count).toBe(2)
  // A browser may show the test payment page from its cache, so the form on a cached page must have no effect.
  await page.goBack()
  await page.reload()
  await expect(page.locator('h1')).toHaveText('Diese Zahlung ist abgeschlossen')
  await page.getByRole('link', { name: 'Weiter' }).click()
  await page.waitForURL(/updated/)
  expect((await shop.api('GET', '/orders')).count).toBe(2)
})

test('the German billing page has no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl, { locale: 'de' })
  await cardExpires(shop, subscription)
  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(await aLink(shop, subscription.id, shopUrl))
    await view.locator('[name=fullName]').fill('')
    await payButton(view).click()
    await expect(view.locator('#problems')).toBeVisible()
    await isWell()
  })
})
