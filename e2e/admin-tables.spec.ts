import type { Page } from '@playwright/test'
import { enter, search } from './operator.ts'
import { onEveryScreen, shiftsOf } from './screens.ts'
import { aPlan, type Shop } from './shop.ts'
import { buy, lastOrder } from './subscription.ts'
import { expect, test } from './test.ts'

const long = 'w'.repeat(200)
const hebrew = 'שלום (עולם) 1'

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

test('right-to-left names and words of 200 characters fit into tables', async ({ browser, baseURL, shop, shopUrl }) => {
  await withOddNames(shop)
  const buyer = { fullName: long, country: 'NL', companyName: hebrew, taxId: '' }
  const { id, customerId } = await buy(shop, shopUrl, { plan: { name: `${long} ${hebrew}` }, buyer })
  const order = await lastOrder(shop)
  const fits = async (view: Page, isWell: () => Promise<void>) => {
    await enter(view, baseURL)
    const root = `${baseURL}/admin/test/${shop.storefrontId}`
    for (const path of [
      ...['customers', 'catalog', 'orders', 'subscriptions', '', `orders/${order.id}`],
      ...[`subscriptions/${id}`, `customers/${customerId}`],
    ]) {
      await view.goto(`${root}/${path}`)
      await isWell()
      if (await view.locator('table').count()) expect(await widthOf(view, 'table')).toBeLessThan(1400)
    }
    await view.goto(`${root}/customers`)
    const name = view.getByRole('row', { name: /odd0@example\.com/ }).locator('bdi', { hasText: hebrew })
    expect(await name.evaluate((each) => getComputedStyle(each).direction)).toBe('rtl')
  }
  await onEveryScreen(browser, fits, { checks: 'layout' })
})

test('nothing moves when the browser replaces the times in UTC with its local times', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  await page.setViewportSize({ width: 1280, height: 800 })
  await enter(page, baseURL)
  for (const path of ['keys', 'orders', 'subscriptions', 'clock', `subscriptions/${id}`]) {
    await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/${path}`)
    await expect(page.locator('main time').first()).not.toContainText('UTC')
    expect(await shiftsOf(page), path).toEqual([])
  }
})

test('lists on a phone have cards instead of a wide table, and one click copies the id of an object', async ({
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
  expect(await box.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  await expect(box.locator('time').first()).toHaveAttribute('title', /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  const card = box.locator('tbody tr').first()
  const { height = 0 } = (await card.boundingBox()) ?? {}
  await card.click({ position: { x: 8, y: height - 4 } })
  await phone.waitForURL(new RegExp(`/subscriptions/${id}$`))
  await phone.getByRole('button', { name: `Copy ${id}` }).click()
  await expect(phone.getByText(`Copied ${id}`)).toBeVisible()
  expect(await phone.evaluate(() => navigator.clipboard.readText())).toBe(id)
  await context.close()

  const plain = await browser.newContext({ javaScriptEnabled: false })
  const bare = await plain.newPage()
  await enter(bare, baseURL)
  await bare.goto(`${baseURL}/admin/test/${shop.storefrontId}/subscriptions/${id}`)
  await expect(bare.getByText(id)).toBeVisible()
  await expect(bare.getByRole('button', { name: `Copy ${id}` })).toBeHidden()
  await plain.close()
})

test('the status filter of a list is part of the URL, and Ctrl+K opens the search', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  await buy(shop, shopUrl)
  const order = await lastOrder(shop)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/orders`)
  await page.getByRole('navigation', { name: 'Filter' }).getByRole('link', { name: 'Expired', exact: true }).click()
  await expect(page).toHaveURL(/\/orders\?status=expired$/)
  await expect(page.locator('main')).toContainText('No orders match this filter.')
  await page.getByRole('navigation', { name: 'Filter' }).getByRole('link', { name: 'Paid', exact: true }).click()
  await page.reload()
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await search(page, order.invoiceNumber)
  await expect(page.locator('main').getByRole('link', { name: order.invoiceNumber }).first()).toBeVisible()
  // The letter K alone must not open the search, because speech input presses letter keys.
  await page.locator('main').click({ position: { x: 1, y: 1 } })
  await page.keyboard.press('/')
  await page.keyboard.press('k')
  await expect(page.locator('[name=q]')).not.toBeFocused()
})

test('test mode and live mode differ in color, label, title, and URL', async ({ page, baseURL, shop }) => {
  await enter(page, baseURL)
  const seen = []
  for (const mode of ['test', 'live']) {
    await page.goto(`${baseURL}/admin/${mode}/${shop.storefrontId}/orders`)
    const current = page.getByRole('navigation', { name: 'Mode' }).locator('[aria-current]')
    seen.push({
      title: await page.title(),
      word: await current.textContent(),
      strip: await page.getByText('Test mode', { exact: true }).count(),
      color: await current.evaluate((each) => getComputedStyle(each).backgroundColor),
    })
  }
  expect(seen.map(({ word, strip, title }) => [word, strip, title])).toEqual([
    ['Test', 1, 'Orders · Test mode · Billhook admin'],
    ['Live', 0, 'Orders · Live mode · Billhook admin'],
  ])
  expect(seen[0]?.color).not.toBe(seen[1]?.color)
})
