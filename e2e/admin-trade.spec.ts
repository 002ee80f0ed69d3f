import { readFile } from 'node:fs/promises'
import { enter } from './operator.ts'
import { onEveryScreen } from './screens.ts'
import { buy } from './subscription.ts'
import { expect, test } from './test.ts'

test('without JavaScript, a member creates a plan, sells the plan, and sees a new API key once', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, baseURL)
  const root = `${baseURL}/admin/test/${shop.storefrontId}`
  const outcome = page.getByRole('status')

  await page.goto(`${root}/catalog/new?kind=subscription_plan`)
  await page.getByLabel('Name').fill('Atelier')
  await page.getByLabel('Description').fill('A workshop for a year.')
  await page.getByLabel('Price in EUR').fill('120,00')
  await page.getByLabel(/^Billed every|^Billing interval/).fill('99')
  await page.getByRole('button', { name: 'Create a plan' }).click()
  await expect(page.locator('#intervalCount-error')).toContainText('at most 12')
  await expect(page.getByLabel('Name')).toHaveValue('Atelier')
  await page.getByLabel(/^Billed every|^Billing interval/).fill('12')
  await page.getByRole('button', { name: 'Create a plan' }).click()
  await expect(outcome).toHaveText('Created.')
  await expect(page.getByRole('row', { name: 'Atelier' })).toContainText('€120.00')

  await page.goto(`${root}/checkouts/new`)
  await page
    .getByRole('combobox', { name: 'Product' })
    .first()
    .selectOption({ label: 'Atelier: €120.00, every 12 months, plus tax' })
  await page.getByLabel('Trial days').first().fill('7')
  await page.getByLabel('Success URL').fill(`${shopUrl}/thanks`)
  await page.getByLabel('Cancel URL').fill(`${shopUrl}/basket`)
  await page.getByRole('button', { name: 'Create the link' }).click()
  await expect(outcome).toHaveText('The checkout is created. Send its link to the buyer.')
  const link = await page.getByRole('link', { name: /\/checkout\// }).getAttribute('href')
  const buyer = await browser.newPage()
  await buyer.goto(link ?? '')
  await expect(buyer.locator('body')).toContainText('Atelier')
  await buyer.close()

  await page.goto(`${root}/keys`)
  await page.getByRole('button', { name: 'Issue a key' }).click()
  const key = (await page.locator('main code').first().textContent()) ?? ''
  expect(key).toMatch(/^test_\w{40}$/)
  const plans = await fetch(`${baseURL}/v1/subscription-plans`, { headers: { authorization: `Bearer ${key}` } })
  expect(JSON.stringify(await plans.json())).toContain('Atelier')
  await page.goto(`${root}/keys`)
  await expect(page.locator('main')).not.toContainText(key)
  await context.close()
})

test('a list is exported to a file, and a request from another site cannot start the export', async ({
  page,
  baseURL,
  shop,
}) => {
  await shop.api('POST', '/customers', { email: 'ada@example.com', name: '=1+1' })
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/customers`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${shop.storefrontId}-test-customers.csv`)
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toMatch(/^\ufeffid,email,name,createdAt\r\ncustomer_\w{22},ada@example.com,'=1\+1,20\d\d-/)
  const url = `${baseURL}/admin/test/${shop.storefrontId}/export/customers`
  for (const origin of ['https://elsewhere.example', 'null'])
    expect((await page.request.post(url, { headers: { origin } })).status()).toBe(403)
  const stranger = await fetch(url, { method: 'POST', headers: { origin: baseURL ?? '' } })
  expect(stranger.url).toMatch(/\/admin\/sign-in\?to=[\w%]+customers$/)
  expect(await stranger.text()).not.toContain('ada@example.com')
})

test('an email preview shows the brand colors in a document that cannot run scripts', async ({
  page,
  baseURL,
  shop,
}) => {
  await enter(page, baseURL)
  const shown = await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/emails/kinds/receipt/html?language=de`)
  expect(shown?.headers()['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'unsafe-inline'.*sandbox$/,
  )
  const colors = () => [...document.querySelectorAll('body *')].map((each) => getComputedStyle(each).backgroundColor)
  expect(new Set(await page.evaluate(colors)).size).toBeGreaterThan(1)
})

// No link leads to these two pages, so `admin-pages.spec.ts`, which follows links, does not open them.
test('the preview of a change and the preview of an email have no layout or accessibility problem', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  await onEveryScreen(browser, async (view, isWell) => {
    await enter(view, baseURL)
    for (const path of [
      'emails/kinds/receipt?language=de',
      `subscriptions/${id}/change?quantity=3&when=now&prorate=yes&invoice=now`,
      `subscriptions/${id}/change?quantity=none`,
    ]) {
      await view.goto(`${baseURL}/admin/test/${shop.storefrontId}/${path}`)
      await isWell()
    }
    await view.goto(`${baseURL}/admin/test/${shop.storefrontId}/subscriptions/${id}/change`)
    const show = view.getByRole('button', { name: 'Preview change' })
    await view.getByLabel('Quantity').fill('1')
    await show.click()
    await expect(view.getByText('Nothing would change.')).toBeFocused()
    await view.getByLabel('Quantity').fill('3')
    await show.click()
    // The preview is below the form, so the preview must receive the focus.
    const preview = view.getByRole('region', { name: 'Preview' })
    await expect(preview).toBeFocused()
    await expect(preview.getByRole('heading', { level: 2 })).toBeInViewport()
  })
})
