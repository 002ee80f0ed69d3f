import type { Page } from '@playwright/test'
import { enter, password } from './operator.ts'
import { onEveryScreen } from './screens.ts'
import { aCheckout, cli, type Shop } from './shop.ts'
import { buy, lastOrder } from './subscription.ts'
import { expect, test } from './test.ts'

const within = (page: Page) => page.locator('main')
const inTest = (baseURL: string | undefined, { storefrontId }: Shop) => `${baseURL}/admin/test/${storefrontId}`
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()

test('without JavaScript, advancing the test clock by a month renews a subscription', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const admin = await context.newPage()
  await enter(admin, baseURL)
  await admin.goto(inTest(baseURL, shop))
  await section(admin, 'Test clock')
  await admin.locator('[name=by]').first().fill('a month')
  await admin.getByRole('button', { name: 'Advance', exact: true }).click()
  await expect(admin.locator('#by-error')).toHaveText('Must be a duration such as 25h, 30d, or P1M.')
  await expect(admin.locator('#problems')).toBeFocused()
  await admin.getByRole('button', { name: 'by a month' }).click()
  await expect(admin.getByRole('status')).toHaveText('The clock was advanced, and everything due has run.')
  await section(admin, 'Subscriptions')
  await admin.locator('tbody .row-link').click()
  await admin.waitForURL(new RegExp(`/subscriptions/${subscription.id}$`))
  const timeline = within(admin).getByRole('listitem')
  const renewal = timeline.filter({ hasText: /Order TEST-INV-.*€10\.00, Paid$/ })
  await expect(renewal).toHaveCount(2)
  await renewal.first().getByRole('link').click()
  await expect(within(admin)).toContainText('Pro')
  expect((await admin.goto(`${baseURL}/admin/live/${shop.storefrontId}/clock`))?.status()).toBe(404)
  await context.close()
})

test('half an order can be refunded after a preview, and sending the form twice creates one refund', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  await buy(shop, shopUrl, { buyer: { country: 'NL', companyName: '', taxId: '' } })
  const order = await lastOrder(shop)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin`)
  await page.locator('[name=q]').fill(order.id)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: order.id }).click()
  const amount = page.locator(`[name="amount.${order.lines[0].id}"]`)
  await page.getByRole('button', { name: 'Preview refund' }).click()
  await expect(within(page)).toContainText('Enter an amount for the order, or for at least one line.')
  await page.getByText('Refund by line').click()
  for (const [typed, wrong] of [
    ['10.01', 'Must be at most the refundable amount of the line, before tax: €10.00.'],
    ['half', 'Must be an amount'],
  ] as const) {
    await amount.fill(typed)
    await page.getByRole('button', { name: 'Preview refund' }).click()
    await expect(within(page)).toContainText(wrong)
    await expect(page.getByRole('button', { name: /^Refund \d/ })).toHaveCount(0)
  }
  await amount.fill('5.00')
  await page.getByRole('button', { name: 'Preview refund' }).click()
  await expect(within(page)).toContainText('€1.05')
  // The preview is below the form, so the preview must receive the focus.
  const preview = page.getByRole('region', { name: 'The buyer gets back' })
  await expect(preview).toBeFocused()
  await expect(preview.getByRole('heading')).toBeInViewport()
  const confirmed = page.url()
  const refund = page.getByRole('button', { name: 'Refund €6.05' })
  const form = await refund.evaluate((button) => {
    const { form } = button as HTMLButtonElement
    return form ? [...new FormData(form)].map(([name, value]) => [name, String(value)]) : []
  })
  await refund.click()
  await expect(page.getByRole('status')).toHaveText('The refund is created.')
  const again = await page.evaluate(
    async ([url, body]) => (await fetch(url ?? '', { method: 'POST', body: new URLSearchParams(body) })).status,
    [
      `${inTest(baseURL, shop)}/orders/${order.id}/submit`,
      new URLSearchParams([...form, ['intent', 'refund']] as string[][]).toString(),
    ],
  )
  expect(again).toBe(200)
  const { data } = await shop.api('GET', `/orders/${order.id}/refunds`)
  expect(data).toMatchObject([{ status: 'pending', total: { value: '6.05' } }])
  await page.goto(confirmed.replace('=5.00', '=5.01'))
  await expect(within(page)).toContainText('before tax: €5.00.')
  await page.goto(`${baseURL}/admin/audit`)
  // Other tests write to the same audit log, so the test finds its entry by the id of the order.
  await expect(page.locator('tbody tr', { hasText: order.id })).toContainText('refund.create')
  expect(await cli('audit', 'verify')).toMatchObject({ brokenAt: null })
})

test('a brand preview is shown before the brand is saved, and the checkout then shows the brand', async ({
  page,
  context,
  baseURL,
  shop,
  shopUrl,
}) => {
  await enter(page, baseURL)
  await page.goto(inTest(baseURL, shop))
  await section(page, 'Brand')
  await page.getByLabel('Name').fill('Northwind Tools')
  await page.getByLabel('Accent color').fill('#ffee00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#accent-error')).toContainText('at least 4.5:1')
  await expect(page.getByLabel('Name')).toHaveValue('Northwind Tools')
  await page.getByLabel('Accent color').fill('#166534')
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40"/></svg>'
  const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) }
  await page.getByLabel('Logo', { exact: true }).setInputFiles(file)
  const [preview] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Preview in a new tab' }).click(),
  ])
  await expect(preview.locator('body')).toContainText('Northwind Tools')
  const checkout = await aCheckout(shop, shopUrl)
  await preview.goto(checkout.url)
  await expect(preview.locator('body')).not.toContainText('Northwind Tools')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved. Pages now show the new branding.')
  await expect(page.getByRole('img', { name: 'Current logo' })).toBeVisible()
  await preview.reload()
  await expect(preview.getByRole('img', { name: 'Northwind Tools' }).filter({ visible: true }).first()).toBeVisible()
  const large = { ...file, buffer: Buffer.alloc(3 * 1024 * 1024) }
  await page.getByLabel('Logo', { exact: true }).setInputFiles(large)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#logo-error')).toContainText('at most 512 kB')
})

test("a member of a merchant sees only that merchant's storefronts, and no pages for staff", async ({
  page,
  baseURL,
  shop,
}) => {
  const { merchantId } = await cli('merchant', 'create', '--name', 'Northwind')
  const own = await cli('storefront', 'create', '--merchant', merchantId, '--name', 'Northwind Tools')
  const email = `support${process.pid}@example.com`
  const logInOf = ['--email', email, '--password', password]
  await cli('member', 'create', '--merchant', merchantId, '--role', 'support', ...logInOf)
  await enter(page, baseURL, email)
  await page.goto(`${baseURL}/admin`)
  await page.waitForURL(new RegExp(`/admin/test/${own.storefrontId}$`))
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText([
    ...['Home', 'Orders', 'Subscriptions', 'Customers', 'Past due', 'Disputes', 'Products', 'Payment links'],
    ...['Checkouts', 'Webhooks', 'Events', 'Emails', 'Collapse menu'],
  ])
  const notTheirs = ['clock', 'keys', 'balance', 'catalog/new'].map((path) => `test/${own.storefrontId}/${path}`)
  for (const path of [
    `test/${shop.storefrontId}`,
    ...notTheirs,
    'reviews',
    'reviews/none',
    'audit',
    'work',
    'chargebacks',
  ])
    expect((await page.goto(`${baseURL}/admin/${path}`))?.status(), path).toBe(404)
})

test('storefront pages with a notice, an error, or a draft have no layout or accessibility problem', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  const order = await lastOrder(shop)
  await onEveryScreen(
    browser,
    async (view, isWell) => {
      await enter(view, baseURL)
      const root = inTest(baseURL, shop)
      for (const path of [
        `${baseURL}/admin/search?q=nothing`,
        `${root}/orders/${order.id}/refund?amount.${order.lines[0].id}=5.00`,
        `${root}/orders/${order.id}/refund?amount.${order.lines[0].id}=500.00`,
        `${root}/orders/${order.id}?done=refunded`,
        `${root}/subscriptions/${id}?failed=subscription_not_pausable`,
        `${root}/clock?by=soon`,
        `${root}/brand?accent=%23ffee00&logoProblem=format`,
        `${baseURL}/admin/live/${shop.storefrontId}/orders`,
      ]) {
        await view.goto(path)
        await isWell()
      }
      expect((await view.goto(`${root}/orders/order_0000000000000000000000`))?.status()).toBe(404)
      await isWell()
    },
    { mayComplain: /404/ },
  )
})
