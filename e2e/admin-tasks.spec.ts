import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { enter, enterAs, password, search } from './operator.ts'
import { aLivePlan, aPlan, cli } from './shop.ts'
import { buy, lastOrder, pass } from './subscription.ts'
import { expect, test } from './test.ts'

/** Counts the clicks of a daily task. Typing does not count. */

function mouse() {
  let clicks = 0
  return {
    async click(target: Locator) {
      clicks++
      await target.click()
    },
    clicks: () => clicks,
  }
}

const main = (page: Page) => page.locator('main')
const section = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}( \\d+ items? waits?)?$`) })
const outcome = (page: Page) => page.getByRole('status')
const noTax = { country: 'NL', companyName: '', taxId: '' }

test('a merchant refunds half of an order with two lines in four clicks and without arithmetic', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  await buy(shop, shopUrl, { more: [{ id: await aPlan(shop) }], buyer: noTax })
  const order = await lastOrder(shop)
  expect(order.lines).toHaveLength(2)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Orders'))
  await click(main(page).locator('tbody tr').first().getByRole('link').first())
  await page.getByLabel(/^Amount/).fill('50%')
  await click(page.getByRole('button', { name: 'Preview refund' }))
  await click(page.getByRole('button', { name: /^Refund €/ }))
  await expect(outcome(page)).toHaveText('The refund is created.')
  expect(clicks()).toBe(4)
  const { data } = await shop.api('GET', `/orders/${order.id}/refunds`)
  expect(Number(data[0].total.value)).toBe(Number(order.total.value) / 2)
  expect(data[0].lines).toHaveLength(2)
})

test('a merchant retries a past due payment, or emails the payment link, in at most three clicks', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl)
  await cli('mandate', 'decline', '--subscription', subscription.id, '--reason', 'insufficient_funds')
  await pass(shop, 'P1M')
  await enter(page, baseURL)
  const home = `${baseURL}/admin/test/${shop.storefrontId}`
  for (const [button, text] of [
    [/^Email the payment link to/, 'The payment link was emailed to the customer.'],
    [/^Retry the payment of/, 'The payment is being retried.'],
  ] as const) {
    await page.goto(home)
    const { click, clicks } = mouse()
    await click(section(page, 'Past due'))
    await click(page.getByRole('button', { name: button }))
    await expect(outcome(page)).toHaveText(text)
    expect(clicks()).toBeLessThanOrEqual(3)
  }
  const order = await lastOrder(shop)
  await expect(main(page)).toContainText('Attempts')
  expect(order.status).toBe('pending')
})

test('an operator approves a plan in two clicks from the inbox', async ({ page, baseURL, shop }) => {
  const plan = await aLivePlan(shop, `Inbox plan ${process.pid}`)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin`)
  const { click, clicks } = mouse()
  await click(main(page).getByRole('link', { name: plan.name }))
  await expect(main(page)).toContainText('This is the first review of this merchant.')
  await click(page.getByRole('button', { name: 'Approve' }))
  await expect(outcome(page)).toHaveText('Approved.')
  expect(clicks()).toBe(2)
  const { status } = await shop.api('GET', `/subscription-plans/${plan.id}`, undefined, shop.liveKey)
  expect(status).toBe('active')
})

test('a merchant finds a customer in one step by a part of the company name', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  const company = `Quittenkontor ${process.pid} eG`
  const { customerId } = await buy(shop, shopUrl, { buyer: { companyName: company } })
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  await search(page, `kontor ${process.pid}`)
  await expect(main(page).getByRole('link', { name: company })).toHaveAttribute(
    'href',
    new RegExp(`/customers/${customerId}$`),
  )
})

test('an owner finds in two clicks who changed the bank account', async ({ page, baseURL }) => {
  const { merchantId } = await cli('merchant', 'create', '--name', 'Northwind')
  const { storefrontId } = await cli('storefront', 'create', '--merchant', merchantId, '--name', 'Northwind Tools')
  const owner = `bank${process.pid}@example.com`
  const logIn = ['--email', owner, '--password', password]
  await cli('member', 'create', '--merchant', merchantId, '--role', 'owner', ...logIn)
  const [code = ''] = await enter(page, baseURL, owner)
  const home = `${baseURL}/admin/test/${storefrontId}`
  await page.goto(`${home}/balance/account`)
  await page.locator('[name=holder]').fill('Engines GmbH')
  await page.locator('[name=iban]').fill('DE89370400440532013000')
  await page.locator('[name=code]').fill(code)
  await page.locator('main form').first().locator('button[type=submit]').first().click()
  await expect(outcome(page)).toBeVisible()
  await page.goto(home)
  const { click, clicks } = mouse()
  await click(section(page, 'Merchant audit log'))
  await click(main(page).getByRole('link', { name: 'Bank account' }))
  await expect(main(page).locator('tbody')).toContainText('payout_account.change')
  await expect(main(page).locator('tbody')).toContainText(owner)
  expect(clicks()).toBe(2)
})

test('a developer sees why a webhook failed and sends it again in three clicks', async ({
  page,
  baseURL,
  shop,
  merchant,
  shopUrl,
}) => {
  await shop.api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  merchant.answer = { status: 500, body: 'The disk is full.' }
  await buy(shop, shopUrl)
  await pass(shop, 'P5D')
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(main(page).getByRole('link', { name: '3 webhook deliveries failed' }))
  await click(main(page).getByRole('link', { name: 'order.paid' }))
  await expect(main(page)).toContainText('HTTP 500')
  await expect(main(page)).toContainText('Your server returned an error.')
  await expect(main(page)).toContainText('The disk is full.')
  await expect(main(page).getByRole('link', { name: `${shopUrl}/hooks` })).toBeVisible()
  merchant.answer = { status: 200, body: '' }
  merchant.received.length = 0
  await click(page.getByRole('button', { name: 'Send again' }))
  await expect(outcome(page)).toHaveText('The event is being sent again.')
  await expect.poll(() => merchant.received.map(({ eventName }) => eventName)).toEqual(['order.paid'])
  expect(clicks()).toBe(3)
})

test('a developer sends a test event to an endpoint and resends failed deliveries without JavaScript', async ({
  browser,
  baseURL,
  shop,
  merchant,
  shopUrl,
}) => {
  const url = `${shopUrl}/hooks`
  await shop.api('POST', '/webhook-endpoints', { url, secret: merchant.secret })
  merchant.answer = { status: 503, body: 'Down for maintenance.' }
  await buy(shop, shopUrl)
  await pass(shop, 'P5D')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Webhooks'))
  await expect(main(page).locator('tbody')).toContainText('Failing')
  await click(main(page).getByRole('link', { name: url }))
  await expect(main(page)).toContainText('0% of 30 attempts succeeded, 30 failed')
  await click(page.getByRole('button', { name: 'Send a test event' }))
  await expect(page.getByRole('alert')).toContainText('HTTP 503')
  merchant.answer = { status: 200, body: '' }
  await click(page.getByRole('button', { name: 'Send a test event' }))
  await expect(outcome(page)).toContainText('The endpoint accepted the test event: HTTP 200')
  merchant.received.length = 0

  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/deliveries?status=failed`)
  await page.getByLabel('Event', { exact: true }).selectOption('order.paid')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(main(page).locator('tbody tr')).toHaveCount(1)
  await page.getByRole('link', { name: 'Remove the filter Event: order.paid' }).click()
  await expect(main(page).locator('tbody tr')).toHaveCount(3)
  await page.getByRole('link', { name: 'Resend failed deliveries' }).click()
  await page.getByRole('button', { name: 'Resend 3 deliveries' }).click()
  await expect(outcome(page)).toHaveText('3 deliveries are being sent again.')
  await expect.poll(() => merchant.received.length).toBe(3)
  expect(clicks()).toBe(4)
  await context.close()
})

test('a merchant changes the number of seats in three clicks, after a preview', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl, { item: { quantity: 7 } })
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Subscriptions'))
  await click(main(page).locator('tbody tr').first().getByRole('link').first())
  await main(page).getByLabel('Quantity', { exact: true }).fill('10')
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('heading', { name: 'Preview' })).toBeVisible()
  await click(page.getByRole('button', { name: /^Make the change and charge €/ }))
  await expect(outcome(page)).toHaveText('The change is made.')
  expect(clicks()).toBe(3)
  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({ quantity: 10 })
})

test('a merchant publishes a payment link in three clicks', async ({ page, baseURL, shop }) => {
  const planId = await aPlan(shop)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Payment links'))
  await click(main(page).getByRole('link', { name: 'Create a payment link' }).first())
  await main(page).getByLabel('Name', { exact: true }).fill('Pricing page')
  await main(page).locator('select').first().selectOption(planId)
  await click(page.getByRole('button', { name: 'Create the payment link' }))
  await expect(outcome(page)).toContainText('The payment link is created.')
  expect(clicks()).toBe(3)
  const { data } = await shop.api('GET', '/payment-links')
  expect(data).toMatchObject([{ name: 'Pricing page', active: true }])
})

test("a merchant on a phone sees today's sales and refunds a sale with three taps", async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  await buy(shop, shopUrl)
  const order = await lastOrder(shop)
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  const newest = main(page).locator('tbody tr').filter({ hasText: 'Engines GmbH' }).first()
  await expect(newest).toContainText('€10.00')
  await expect(newest.locator('time').first()).toHaveAttribute('datetime', order.createdAt)
  await click(newest.getByRole('link').first())
  await click(page.getByRole('button', { name: 'Preview full refund' }))
  await click(page.getByRole('button', { name: /^Refund €/ }))
  await expect(outcome(page)).toHaveText('The refund is created.')
  expect(clicks()).toBe(3)
  const { data } = await shop.api('GET', `/orders/${order.id}/refunds`)
  expect(data).toMatchObject([{ total: { value: '10.00' } }])
})

test('a merchant emails a link for a new payment method in three clicks', async ({ page, baseURL, shop, shopUrl }) => {
  await buy(shop, shopUrl)
  await enter(page, baseURL)
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Subscriptions'))
  await click(main(page).locator('tbody tr').first().getByRole('link').first())
  await click(page.getByRole('button', { name: 'Email link: Payment method' }))
  await expect(outcome(page)).toHaveText('The link was emailed to the customer.')
  expect(clicks()).toBe(3)
  await page.getByRole('button', { name: 'Create link: Customer portal' }).click()
  await expect(outcome(page)).toContainText('The link is created.')
  const url = await main(page).locator('#links ~ ul code').textContent()
  await page.goto(url ?? '')
  await expect(page).toHaveURL(/\/portal\/link\//)
})

test('an owner requests a payout in two clicks from the home page', async ({ page, baseURL, shop, shopUrl }) => {
  await buy(shop, shopUrl, { buyer: noTax })
  await cli(
    'payout',
    'set-account',
    '--storefront',
    shop.storefrontId,
    '--mode',
    'test',
    '--holder',
    'Engines GmbH',
    '--iban',
    'DE89370400440532013000',
  )
  await pass(shop, 'P3D')
  const [code = ''] = await enterAs(page, baseURL, shop, 'owner')
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Payouts'))
  const amount = await page.getByLabel('Amount in EUR').inputValue()
  await page.locator('[name=code]').fill(code)
  await click(page.getByRole('button', { name: 'Request payout' }))
  await expect(outcome(page)).toHaveText('The payout is in the next bank file.')
  expect(clicks()).toBe(2)
  await expect(main(page).locator('tbody tr').first()).toContainText(amount)
})

test('an accountant exports a quarter for the tax adviser in three clicks from the home page', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  await buy(shop, shopUrl, { buyer: noTax })
  const order = await lastOrder(shop)
  await enterAs(page, baseURL, shop, 'accountant')
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const { click, clicks } = mouse()
  await click(section(page, 'Tax report'))
  await click(main(page).getByRole('navigation', { name: 'Quarters' }).getByRole('link').first())
  const download = page.waitForEvent('download')
  await click(page.getByRole('button', { name: 'Download invoices and credit notes (CSV)' }))
  const file = await readFile(await (await download).path(), 'utf8')
  expect(clicks()).toBe(3)
  expect(file).toContain(`,${order.id},`)
  expect(file).toContain(`,${order.total.value},`)
})
