import type { Page } from '@playwright/test'
import { enter, search } from './operator.ts'
import { onEveryScreen } from './screens.ts'
import { aPlan, type Shop } from './shop.ts'
import { buy, lastOrder } from './subscription.ts'
import { expect, test } from './test.ts'

const long = 'w'.repeat(200)
const hebrew = 'שלום (עולם) 1'

/** Creates customers and plans with right-to-left names, and with a word that is too long for a line. */
async function withOddNames(shop: Shop): Promise<void> {
  for (const [number, name] of [hebrew, long].entries()) {
    await shop.api('POST', '/customers', { email: `odd${number}@example.com`, name })
    await aPlan(shop, { name, description: name })
  }
}

const widthOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((each) => each.getBoundingClientRect().width)

test('right-to-left names and words of 200 characters do not break the layout of tables', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  await withOddNames(shop)
  const buyer = { fullName: long, country: 'NL', companyName: hebrew, taxId: '' }
  const { id, customerId } = await buy(shop, shopUrl, { plan: { name: `${long} ${hebrew}` }, buyer })
  const order = await lastOrder(shop)
  await onEveryScreen(browser, async (view, isWell) => {
    await enter(view, baseURL)
    const root = `${baseURL}/admin/test/${shop.storefrontId}`
    for (const path of [
      ...['customers', 'catalog', 'orders', 'subscriptions', '', `orders/${order.id}`],
      ...[`subscriptions/${id}`, `customers/${customerId}`],
    ]) {
      await view.goto(`${root}/${path}`)
      await isWell()
      // No column is so wide that it pushes the others off screen.
      if (await view.locator('table').count()) expect(await widthOf(view, 'table')).toBeLessThan(1400)
    }
    await view.goto(`${root}/customers`)
    const name = view.getByRole('row', { name: /odd0@example\.com/ }).locator('bdi', { hasText: hebrew })
    expect(await name.evaluate((each) => getComputedStyle(each).direction)).toBe('rtl')
  })
})

test('the first column stays visible, one click copies an id, and each time names its time zone', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const phone = await context.newPage()
  await enter(phone, baseURL)
  await phone.goto(`${baseURL}/admin/test/${shop.storefrontId}/subscriptions`)
  const box = phone.getByRole('region', { name: 'Subscriptions' })
  const first = box.getByRole('rowheader').first()
  const before = await first.boundingBox()
  await box.evaluate((each) => each.scrollBy(200, 0))
  expect(await box.evaluate((each) => each.scrollLeft)).toBeGreaterThan(100)
  expect((await first.boundingBox())?.x).toBe(before?.x)

  await first.getByRole('button', { name: `Copy ${id}` }).click()
  await expect(phone.getByText(`Copied ${id}`)).toBeVisible()
  expect(await phone.evaluate(() => navigator.clipboard.readText())).toBe(id)
  await expect(box.locator('time').first()).toHaveAttribute('title', /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  await context.close()

  // Without JavaScript the copy buttons are not shown.
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const bare = await plain.newPage()
  await enter(bare, baseURL)
  await bare.goto(`${baseURL}/admin/test/${shop.storefrontId}/subscriptions`)
  await expect(bare.getByRole('link', { name: id })).toBeVisible()
  await expect(bare.getByRole('button', { name: `Copy ${id}` })).toBeHidden()
  await plain.close()
})

test('Ctrl+K opens the search, and the filter is kept in the address', async ({ page, baseURL, shop, shopUrl }) => {
  await buy(shop, shopUrl)
  const order = await lastOrder(shop)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/orders`)
  await page.getByRole('navigation', { name: 'Which' }).getByRole('link', { name: 'expired' }).click()
  await expect(page).toHaveURL(/\/orders\?status=expired$/)
  await expect(page.locator('main')).toContainText('There is no order here. One appears when')
  await page.getByRole('navigation', { name: 'Which' }).getByRole('link', { name: 'paid' }).click()
  await page.reload()
  await expect(page.getByRole('link', { name: order.invoiceNumber })).toBeVisible()
  await search(page, order.invoiceNumber)
  // A key without a modifier must not open the search: speech input would press it.
  await page.locator('main').click({ position: { x: 1, y: 1 } })
  await page.keyboard.press('/')
  await page.keyboard.press('k')
  await expect(page.locator('[name=q]')).not.toBeFocused()
})

test('test mode and live mode differ in color, label, title, and address', async ({ page, baseURL, shop }) => {
  await enter(page, baseURL)
  const seen = []
  for (const mode of ['test', 'live']) {
    await page.goto(`${baseURL}/admin/${mode}/${shop.storefrontId}/orders`)
    const word = page.locator('main header strong')
    seen.push({
      title: await page.title(),
      word: await word.textContent(),
      color: await word.evaluate((each) => getComputedStyle(each.closest('header') ?? each).backgroundColor),
    })
  }
  expect(seen.map(({ word, title }) => [word, title])).toEqual([
    ['Test mode', 'Orders · Test mode · Billhook admin'],
    ['Live mode', 'Orders · Live mode · Billhook admin'],
  ])
  expect(seen[0]?.color).not.toBe(seen[1]?.color)
})
