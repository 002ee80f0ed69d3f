import { enter } from './operator.ts'
import { shiftsOf } from './screens.ts'
import { expect, test } from './test.ts'

const wide = { width: 1280, height: 800 }

test('the sidebar collapses and expands with the keyboard, and stays collapsed on the next page', async ({
  page,
  baseURL,
  shop,
}) => {
  await page.setViewportSize(wide)
  await enter(page, baseURL)
  const orders = `${baseURL}/admin/test/${shop.storefrontId}/orders?status=paid`
  await page.goto(orders)
  const menu = page.locator('#menu')
  const link = menu.getByRole('link', { name: 'Orders', exact: true })
  expect((await menu.boundingBox())?.width).toBe(240)
  await expect(link).not.toHaveAttribute('title')
  const toggle = menu.getByRole('link', { name: 'Collapse menu' })
  await expect(async () => {
    await toggle.focus()
    await page.keyboard.press('Enter')
    await expect(menu.getByRole('link', { name: 'Expand menu' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  expect((await menu.boundingBox())?.width).toBe(64)
  await expect(link).toHaveAttribute('title', 'Orders')
  await expect(link).toHaveAttribute('aria-current', 'page')

  const remembered = async () =>
    (await page.context().cookies()).find(({ name }) => name === '__Host-billhook_sidebar')?.value
  await expect.poll(remembered).toBe('icons')
  // The server renders the collapsed sidebar, so the layout does not shift after loading.
  const html = await (await page.request.get(orders)).text()
  expect(html).toMatch(/<nav[^>]*data-icons="true"/)
  await page.goto(orders)
  await expect(page).toHaveURL(orders)
  expect((await menu.boundingBox())?.width).toBe(64)
  expect(await shiftsOf(page)).toEqual([])

  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(menu.getByText('Orders', { exact: true })).toBeVisible()
  expect((await menu.boundingBox())?.width).toBe(288)
  await expect(menu.getByRole('link', { name: 'Expand menu' })).toBeHidden()
})

test('the sidebar collapses and expands without JavaScript, and the page keeps its filters', async ({
  browser,
  baseURL,
  shop,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: wide })
  const page = await context.newPage()
  await enter(page, baseURL)
  const orders = `${baseURL}/admin/test/${shop.storefrontId}/orders?status=paid`
  await page.goto(orders)
  const menu = page.locator('#menu')
  await menu.getByRole('link', { name: 'Collapse menu' }).click()
  await expect(page).toHaveURL(orders)
  expect((await menu.boundingBox())?.width).toBe(64)
  await menu.getByRole('link', { name: 'Expand menu' }).click()
  await expect(page).toHaveURL(orders)
  expect((await menu.boundingBox())?.width).toBe(240)
  await context.close()
})
