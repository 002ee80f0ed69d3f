import { enter } from './operator.ts'
import { problemsOf } from './screens.ts'
import { expect, test } from './test.ts'

test('links in the table sort customers by name without JavaScript', async ({ browser, baseURL, shop }) => {
  for (const [email, name] of [
    ['z@example.com', 'Ada'],
    ['y@example.com', 'Zoe'],
    ['x@example.com', 'Mia'],
  ])
    await shop.api('POST', '/customers', { email, name })
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/customers`)
  const names = page.locator('tbody th a')
  const header = (name: string) => page.getByRole('columnheader', { name })
  await expect(header('Customer since')).toHaveAttribute('aria-sort', 'descending')
  await expect(header('Name')).not.toHaveAttribute('aria-sort')
  await expect(names).toHaveText(['Mia', 'Zoe', 'Ada'])
  await header('Name').getByRole('link').click()
  await expect(page).toHaveURL(/\/customers\?sort=name$/)
  await expect(header('Name')).toHaveAttribute('aria-sort', 'ascending')
  await expect(header('Customer since')).not.toHaveAttribute('aria-sort')
  await expect(names).toHaveText(['Ada', 'Mia', 'Zoe'])
  await header('Name').getByRole('link').click()
  await expect(header('Name')).toHaveAttribute('aria-sort', 'descending')
  await expect(names).toHaveText(['Zoe', 'Mia', 'Ada'])
  // On a phone, the table has no header row, so the sort links are above the list.
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('link', { name: 'Sort by name: A to Z' }).click()
  await expect(names).toHaveText(['Ada', 'Mia', 'Zoe'])
  await context.close()
})

test('the status filter of the order list keeps the sort order by amount', async ({ page, baseURL, shop }) => {
  await enter(page, baseURL)
  const orders = `${baseURL}/admin/test/${shop.storefrontId}/orders`
  await page.goto(`${orders}?sort=amount`)
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Paid', exact: true }).click()
  await expect(page).toHaveURL(`${orders}?sort=amount&status=paid`)
  await page.getByRole('link', { name: 'Sort by date: newest first' }).first().click()
  await expect(page).toHaveURL(`${orders}?status=paid`)
})
