import type { Page } from '@playwright/test'
import { anOperator, enter } from './operator.ts'
import { expect, test } from './test.ts'

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })
const outcome = (page: Page) => page.getByRole('status')

test('staff invite and remove a person without JavaScript', async ({ browser, baseURL }) => {
  const [me, left, invited] = [await anOperator(), await anOperator(), `invited${process.pid}@example.com`]
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const [first = '', second = ''] = await enter(page, baseURL, me)
  await page.goto(`${baseURL}/admin`)
  await section(page, 'People').click()
  const row = (email: string) => page.getByRole('row', { name: new RegExp(email) })
  await expect(row(me)).toContainText('you')
  await expect(row(me).locator('summary')).toHaveCount(0)

  const form = page.locator('form', { has: page.getByRole('button', { name: 'Send the invitation' }) })
  await form.locator('[name=email]').fill(invited)
  await form.locator('[name=code]').fill('000000')
  await form.getByRole('button').click()
  await expect(page.locator('main')).toContainText('This code is wrong')
  await expect(form.locator('[name=email]')).toHaveValue(invited)
  await form.locator('[name=code]').fill(first)
  await form.getByRole('button').click()
  await expect(outcome(page)).toHaveText('The invitation is being sent.')
  await expect(row(invited)).toContainText('not set up yet')

  await row(left).locator('summary').click()
  await row(left).locator('[name=code]').fill(second)
  await row(left).getByRole('button', { name: 'Remove' }).click()
  await expect(outcome(page)).toHaveText('The person is removed.')
  await expect(row(left)).toHaveCount(0)
  await context.close()
})

test('staff find a customer, download the data, and erase the customer with a confirmation code', async ({
  page,
  baseURL,
  shop,
}) => {
  const email = `erase${process.pid}@example.com`
  const { id } = await shop.api('POST', '/customers', { email, name: 'Ada Lovelace' })
  const [code = ''] = await enter(page, baseURL, await anOperator())
  await page.goto(`${baseURL}/admin`)
  await section(page, 'Personal data').click()
  await page.locator('main [name=q]').fill(email)
  await page.locator('main').getByRole('button', { name: 'Find' }).click()
  await page.locator('main').getByRole('link', { name: email }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the data' }).click()
  expect((await download).suggestedFilename()).toBe(`${id}.json`)
  await page.getByLabel('The customer requested the erasure').check()
  await page.locator('[name=code]').fill(code)
  await page.getByRole('button', { name: 'Erase the data' }).click()
  await expect(outcome(page)).toContainText('The data was erased.')
  await expect(page.locator('main')).not.toContainText('Ada Lovelace')
})

test('staff add and end a tax registration', async ({ page, baseURL }) => {
  await enter(page, baseURL, await anOperator())
  await page.goto(`${baseURL}/admin`)
  await section(page, 'Tax registrations').click()
  const number = `CH${process.pid}`
  await page.locator('[name=country]').fill('CH')
  await page.locator('[name=number]').fill(number)
  await page.locator('#add ~ form [name=from]').fill('2020-01-01')
  await page.getByRole('button', { name: 'Add a registration' }).click()
  await expect(outcome(page)).toHaveText('The registration is added.')
  const row = page.getByRole('row', { name: new RegExp(number) })
  await row.locator('summary').click()
  await row.locator('[name=until]').fill('2020-01-31')
  await row.getByRole('button', { name: 'Save the last day' }).click()
  await expect(outcome(page)).toHaveText('The last day is saved.')
  await expect(row.locator('summary')).toHaveCount(0)
})

test('the page for bank files has no button "Make the bank file" if no payout is waiting', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL, await anOperator())
  await page.goto(`${baseURL}/admin`)
  await section(page, 'Bank files').click()
  await expect(page.locator('main')).toContainText('No payouts are waiting.')
  await expect(page.getByRole('button', { name: 'Make the bank file' })).toHaveCount(0)
})

test('without JavaScript, a refused tax return shows the reason, and a tax report that is refused because the service is busy has a retry link', async ({
  browser,
  baseURL,
  shop,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, baseURL, await anOperator())
  await page.goto(`${baseURL}/admin/tax-returns`)
  const alert = page.locator('main').getByRole('alert')
  await page.getByRole('button', { name: 'for the tax portal' }).click()
  await expect(alert).toContainText('The file was not created.')
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/tax-report?refused=busy`)
  await expect(alert).toContainText('Another tax report of this merchant is being created.')
  await alert.getByRole('link', { name: 'Try again' }).click()
  await expect(page.locator('main')).toContainText('No sales in this period.')
  await expect(alert).toHaveCount(0)
  await context.close()
})

test('a URL with a NUL character gets 404, and a form with a NUL character shows an error', async ({
  page,
  baseURL,
  shop,
}) => {
  await enter(page, baseURL, await anOperator())
  const at = `/admin/test/${shop.storefrontId}`
  const paths = [`${at}/payouts/%00`, `${at}/orders/a%00b`, '/admin/test/%00/orders', '/admin/reviews/%00']
  for (const path of paths) expect([path, (await page.request.get(`${baseURL}${path}`)).status()]).toEqual([path, 404])
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const send = (path: string, form: Record<string, string>) =>
    fetch(`${baseURL}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: baseURL ?? '' },
      body: new URLSearchParams({ key: crypto.randomUUID(), ...form }),
    })
  const { status, headers } = await send(`${at}/payouts/submit`, { intent: 'cancel', payout: 'a\0' })
  expect([status, headers.get('location')]).toEqual([303, `${at}/payouts?failed=validation_failed`])
  expect((await send(`${at}/orders/%00/submit`, {})).status).toBe(404)
})

test('the audit table of the inbox fits next to the sidebar at 1280 px in English and German', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const email = await anOperator()
  await enter(page, baseURL, email)
  for (const language of ['English', 'Deutsch']) {
    await page.goto(`${baseURL}/admin/sessions`)
    await page.locator('select[name=language]').selectOption(language)
    await page.locator('form:has(select[name=language]) button').click()
    await page.waitForLoadState()
    await page.goto(`${baseURL}/admin`)
    const table = page.locator('#changes').locator('..').locator('.data-table')
    await expect(table).toBeVisible()
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  }
  await context.close()
})
