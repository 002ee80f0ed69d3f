import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { enter, enterAs, search } from './operator.ts'
import { aPlan, cli } from './shop.ts'
import { buy, lastOrder, pass } from './subscription.ts'
import { expect, test } from './test.ts'

/** Daily tasks of a merchant, each with a maximum number of clicks. Typing does not count as a click. */

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
/** The link in the sidebar. Its name ends with the number of things that wait. */
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

test('a merchant retries a past due payment, or emails its payment link, in three clicks', async ({
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

test('a merchant finds a customer by a part of the company in one step', async ({ page, baseURL, shop, shopUrl }) => {
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

test('who changed the bank account is seen with two clicks', async ({ page, baseURL, shop }) => {
  const [code = ''] = await enter(page, baseURL)
  const home = `${baseURL}/admin/test/${shop.storefrontId}`
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
  await expect(main(page).locator('tbody')).toContainText('Service staff')
  expect(clicks()).toBe(2)
})

test('an owner requests a payout in two clicks from the home page', async ({ page, baseURL, shop, shopUrl }) => {
  await buy(shop, shopUrl, { buyer: noTax })
  await cli(
    'payout',
    'set-account',
    '--storefront',
    shop.storefrontId,
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
