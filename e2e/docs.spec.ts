import { onEveryScreen } from './screens.ts'
import { expect, test } from './test.ts'

/** The width of the file for this color scheme, or null until the browser shows this file. */
function widthOf(picture: Element, colorScheme: 'light' | 'dark'): number | null {
  const [image, source] = [picture.querySelector('img'), picture.querySelector('source')]
  const wanted = new URL((colorScheme === 'dark' ? source?.srcset : image?.src) ?? '', document.baseURI).href
  return image?.complete && image.currentSrc === wanted ? image.naturalWidth : null
}

test('the front page links to the documentation, and the API reference links to operations and schemas', async ({
  browser,
}) => {
  await onEveryScreen(
    browser,
    async (page, isWell) => {
      await page.goto('/')
      await isWell()
      await expect(page.getByText(/^Version \d+\.\d+\.\d+$/)).toBeVisible()
      await expect(async () => {
        await page.reload()
        await expect(page.getByText(/^The service works/)).toBeVisible({ timeout: 2_000 })
      }).toPass()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const picture of await page.locator('picture').all()) {
          await picture.locator('img').scrollIntoViewIfNeeded()
          await expect.poll(() => picture.evaluate(widthOf, colorScheme)).toBe(1280)
        }
      }
      await page.getByRole('link', { name: 'Documentation' }).click()
      await expect(page).toHaveURL(/\/docs$/)
      await isWell()
      await page.goto('/docs/merchants/webhooks')
      await isWell()
      await page.goto('/docs/api')
      await isWell()
      await page.getByRole('main').getByRole('link', { name: 'Resume a canceled subscription' }).click()
      await expect(page).toHaveURL(/\/docs\/subscriptions#resumeSubscription$/)
      await isWell()
      await page.getByText('Example response').first().click()
      await isWell()
      const resume = page.getByRole('region', { name: 'Resume a canceled subscription' })
      await expect(resume).toContainText('subscription_not_resumable')
      await expect(resume.locator('pre').last()).toContainText('-X POST "$BILLHOOK/v1/subscriptions/subscription_')
      await resume.getByRole('link', { name: 'Subscription', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'The Subscription object', exact: true })).toBeInViewport()
    },
    { alsoInDark: true },
  )
})

test('the largest contentful paint of the front page on a phone is a paragraph', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/', { waitUntil: 'networkidle' })
  const largest = await page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1) as (PerformanceEntry & { element: Element | null }) | undefined
          resolve(last?.element?.tagName)
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  expect(largest).toBe('P')
})

test('a search from any page finds a section, and the result links to the section', async ({ browser }) => {
  await onEveryScreen(browser, async (page, isWell) => {
    await page.goto('/docs/contract')
    await page.getByRole('searchbox').fill('Service-Signature')
    await page.getByRole('searchbox').press('Enter')
    await expect(page).toHaveURL(/\/docs\/search\?q=Service-Signature$/)
    const found = page.getByRole('main').getByRole('link', { name: 'Webhooks: Deliveries' })
    await expect(found).toBeVisible()
    await isWell()
    await found.click()
    await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeInViewport()
  })
})

test('the copy button copies the code block of the chosen language', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/merchants/webhooks')
  const verify = page.locator('.tabs').first()
  await verify.getByText('Python', { exact: true }).click()
  await expect(verify.getByText('import hmac')).toBeVisible()
  await verify.getByRole('button', { name: 'Copy' }).click()
  await expect(verify.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('def is_genuine(')
  await expect(page.getByRole('radio', { name: 'TypeScript', exact: true })).not.toBeChecked()
})

test('the choice of a language applies to all code tabs of a page that have this language', async ({ page }) => {
  await page.goto('/docs/merchants/webhooks')
  const choices = page.getByRole('radio', { name: 'PHP', exact: true })
  expect(await choices.count()).toBeGreaterThan(1)
  for (const each of await choices.all()) await expect(each).not.toBeChecked()
  await page.locator('.tabs').first().getByText('PHP', { exact: true }).click()
  for (const each of await choices.all()) await expect(each).toBeChecked()
  for (const each of await page.locator('.tabs').all()) await expect(each.locator('input:checked')).toHaveCount(1)
})

test.describe('the documentation can be used without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('without JavaScript, a reader can switch documentation tabs, and the search page says that it needs JavaScript', async ({
    page,
  }) => {
    await page.goto('/docs/merchants/webhooks')
    const verify = page.locator('.tabs').first()
    await expect(verify.getByText('import hmac')).toBeHidden()
    await verify.getByText('Python', { exact: true }).click()
    await expect(verify.getByText('import hmac')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy' })).toHaveCount(0)
    await page.goto('/docs/search')
    await expect(page.locator('noscript p')).toContainText('The search needs JavaScript.')
  })

  test('the API reference and the OpenAPI document contain the public URL of the service', async ({ page }) => {
    const { servers } = await (await page.request.get('/v1/openapi.json')).json()
    const address = new URL(servers[0].url).origin
    await page.goto('/docs/api')
    await expect(page.locator('pre').first()).toContainText(`export BILLHOOK=${address} KEY=test_...`)
  })
})

test('the documentation has security headers and its own 404 page', async ({ page }) => {
  const answer = await page.goto('/docs/orders')
  expect(answer?.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-robots-tag': 'all',
  })
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Orders', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  for (const path of ['/docs/nothing', '/docs/contract/nothing']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeVisible()
  }
})

test('Markdown, llms.txt, the sitemap, and robots.txt of the documentation are served', async ({ page, baseURL }) => {
  const read = async (path: string) => (await page.request.get(path)).text()
  expect(await read('/docs/contract/webhooks.md')).toContain('](/docs/merchants/webhooks.md)')
  expect(await read('/docs.md')).toBe(await read('/docs/index.md'))
  expect((await page.request.get('/docs/nothing.md')).status()).toBe(404)
  const listed = [...(await read('/llms.txt')).matchAll(/\((http[^)]+)\)/g)].map(([, address = '']) => address)
  const pages = [...(await read('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  expect([listed.length > 40, pages.length > 50]).toEqual([true, true])
  for (const address of [...listed, ...pages]) {
    const path = new URL(address).pathname
    const response = await fetch(new URL(path, baseURL))
    await response.body?.cancel()
    expect(`${path} ${response.status}`).toBe(`${path} 200`)
  }
  expect(await read('/robots.txt')).toContain('Allow: /docs')
  expect((await page.request.get('/admin/sign-in')).headers()['x-robots-tag']).toBe('noindex')
})
