import type { Page } from '@playwright/test'
import { anOperator, codeOf, fillPassword, logIn, password, search } from './operator.ts'
import { aLivePlan, cli, type Shop } from './shop.ts'
import { buy } from './subscription.ts'
import { expect, test } from './test.ts'

const main = (page: Page) => page.locator('main')
const outcome = (page: Page) => page.getByRole('status')
/** The name of a sidebar link can end with the number of waiting items. */
const section = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}( \\d+ items? waits?)?$`) })
    .click()

async function findById(page: Page, id: string): Promise<void> {
  await search(page, id)
  await main(page).getByRole('link', { name: id }).click()
}

test('a new operator logs in, approves a plan, resends a webhook, and sees a renewal', async ({
  page,
  baseURL,
  shop,
  merchant,
  shopUrl,
}) => {
  test.slow()
  await shop.api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  await logInWithASecondFactor(page, baseURL)
  await reviewALivePlan(page, shop)

  merchant.answer = { status: 500, body: 'The disk is full.' }
  const subscription = await buy(shop, shopUrl, { buyer: { country: 'NL', companyName: '', taxId: '' } })
  await expect.poll(() => merchant.received.map(({ eventName }) => eventName)).toContain('checkout.paid')

  await findWhyAWebhookFailed(page, shop)
  merchant.answer = { status: 200, body: '' }
  merchant.received.length = 0
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(outcome(page)).toHaveText('The event is being sent again.')
  await expect.poll(() => merchant.received.find(({ eventName }) => eventName === 'checkout.paid')?.verified).toBe(true)
  await expect
    .poll(async () => {
      await page.reload()
      return main(page).locator('dd').first().textContent()
    })
    .toBe('Delivered')
  expect((await page.goto(page.url().replace('/admin/test/', '/admin/live/')))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')

  await moveTheClock(page, baseURL, shop, subscription.id)
  await expect
    .poll(() => merchant.received.filter(({ eventName }) => eventName === 'subscription.updated').length)
    .toBe(1)

  await section(page, 'Audit log')
  for (const action of ['clock.advance', 'delivery.resend', 'review.approve', 'review.start'])
    await expect(page.locator('tbody')).toContainText(action)
  expect(await cli('audit', 'verify')).toMatchObject({ brokenAt: null })
})

async function logInWithASecondFactor(page: Page, baseURL: string | undefined): Promise<void> {
  const email = await anOperator()
  await page.goto(`${baseURL}/`)
  await page.getByRole('link', { name: 'Admin area' }).click()
  await page.waitForURL(/\/admin\/sign-in$/)
  const secret = await logIn(page, baseURL, email)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await fillPassword(page, email, password)
  await page.waitForURL(/\/second-factor$/)
  await page.goto(`${baseURL}/admin/storefronts`)
  await page.waitForURL(/\/second-factor\?to=/)
  await expect(page).toHaveTitle(/^Enter your code/)
  await page.locator('[name=code]').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.locator('#code-error')).toContainText('The code is wrong')
  // Each code is accepted once, and the log-in has used the current code. The test therefore enters the next code, which is already accepted.
  await page.locator('[name=code]').fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin\/storefronts$/)
}

async function reviewALivePlan(page: Page, shop: Shop): Promise<void> {
  const name = `Journey ${process.pid}`
  const plan = await aLivePlan(shop, name)
  const status = async () => (await shop.api('GET', `/subscription-plans/${plan.id}`, undefined, shop.liveKey)).status
  await section(page, 'Reviews')
  await page.getByRole('link', { name }).click()
  await page.getByLabel('Reason, for the merchant').fill('   ')
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect(page.locator('#reason-error')).toContainText('Enter a reason')
  expect(await status()).toBe('pending')
  await page.getByRole('button', { name: 'Start the review' }).click()
  await expect(outcome(page)).toHaveText('The review has started.')
  const review = page.url().split('?')[0] ?? ''
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(outcome(page)).toHaveText('Approved.')
  expect(await status()).toBe('active')
  await page.goto(review)
  await expect(main(page)).toContainText('This item is no longer waiting for a review.')
}

async function findWhyAWebhookFailed(page: Page, shop: Shop): Promise<void> {
  await section(page, 'Storefronts')
  await page.getByRole('row', { name: shop.storefrontId }).getByRole('link', { name: 'Lumen: Test mode' }).click()
  await section(page, 'Webhooks')
  await main(page)
    .getByRole('link', { name: /hooks$/ })
    .click()
  await page.getByRole('link', { name: 'All deliveries to this endpoint' }).click()
  await page.getByRole('navigation', { name: 'Filter' }).getByRole('link', { name: 'Failed', exact: true }).click()
  await expect(main(page)).toContainText('No deliveries match this filter.')
  await page.getByRole('navigation', { name: 'Filter' }).getByRole('link', { name: 'Pending', exact: true }).click()
  await page.getByRole('link', { name: 'checkout.paid' }).click()
  for (const text of ['HTTP 500', 'The disk is full.', '"eventName": "checkout.paid"', 'Next attempt'])
    await expect(main(page)).toContainText(text)
  await expect(main(page).locator('tbody code').first()).toHaveText(/^t=\d+,v1=[0-9a-f]{64}$/)
}

async function moveTheClock(page: Page, baseURL: string | undefined, shop: Shop, subscriptionId: string) {
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  await section(page, 'Test clock')
  await page.getByRole('button', { name: 'by a month' }).click()
  await expect(outcome(page)).toHaveText('The clock was advanced, and everything due has run.')
  await findById(page, subscriptionId)
  const timeline = main(page).getByRole('listitem')
  await expect(timeline.filter({ hasText: 'Renewed' })).toHaveCount(1)
  await expect(timeline.filter({ hasText: /Payment: €12\.10, Card, Paid/ })).toHaveCount(2)
  await expect(timeline.filter({ hasText: 'Email receipt ada@example.com' })).toHaveCount(2)
  await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).click()
  await page.waitForURL(/\/admin\/live\//)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Test clock' })).toHaveCount(0)
}
