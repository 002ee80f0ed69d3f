import { onEveryScreen } from './screens.ts'
import { expect, test } from './test.ts'

test('the front page links to the API reference, which leads to an operation and its schema', async ({ browser }) => {
  await onEveryScreen(browser, async (page, isWell) => {
    await page.goto('/')
    await isWell()
    await page.getByRole('link', { name: 'API reference' }).click()
    await expect(page).toHaveURL(/\/docs$/)
    await isWell()
    await page.getByRole('link', { name: 'Resume a canceled subscription' }).click()
    await expect(page).toHaveURL(/\/docs\/subscriptions#resumeSubscription$/)
    await isWell()
    const resume = page.getByRole('region', { name: 'Resume a canceled subscription' })
    await expect(resume).toContainText('subscription_not_resumable')
    await expect(resume.locator('pre')).toContainText('-X POST "$BILLHOOK/v1/subscriptions/subscription_')
    await resume.getByRole('link', { name: 'Subscription', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'The shape Subscription', exact: true })).toBeInViewport()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the API reference and the OpenAPI document name the address of the service', async ({ page }) => {
    const { servers } = await (await page.request.get('/v1/openapi.json')).json()
    const address = new URL(servers[0].url).origin
    await page.goto('/docs')
    await expect(page.locator('pre').first()).toContainText(`export BILLHOOK=${address} KEY=test_...`)
  })
})

test('the API reference has the security headers of pages, and an unknown resource is not found', async ({ page }) => {
  const answer = await page.goto('/docs/orders')
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Orders' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  expect((await page.goto('/docs/nothing'))?.status()).toBe(404)
})
