import { anOperator, codeOf, fillPassword, logIn } from './operator.ts'
import { onEveryScreen } from './screens.ts'
import { aLivePlan, cli } from './shop.ts'
import { expect, tabTo, test } from './test.ts'

test('by keyboard and without JavaScript, an operator logs in with two factors and approves a live plan', async ({
  browser,
  baseURL,
  shop,
}) => {
  const email = await anOperator()
  const plan = await aLivePlan(shop, `Plan ${process.pid}`)
  expect(plan.status).toBe('pending')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await logIn(page, baseURL, email)
  await page.getByRole('link', { name: /^Reviews \d/ }).click()
  await page.getByRole('link', { name: plan.name }).click()
  await expect(page.locator('h1')).toHaveText(plan.name)
  await expect(page.locator('main')).toContainText('€10.00')
  const press = async (name: string) => {
    await tabTo(page.getByRole('link', { name: 'Skip to the content' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(/#content$/)
    await tabTo(page.getByRole('button', { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  await press('Start the review')
  await expect(page.getByRole('status')).toHaveText('The review has started.')
  await press('Approve')
  await expect(page.getByRole('status')).toHaveText('Approved.')
  const { status } = await shop.api('GET', `/subscription-plans/${plan.id}`, undefined, shop.liveKey)
  expect(status).toBe('active')

  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.locator('tbody tr', { hasText: plan.id })).toHaveCount(2)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\?signed-out$/)
  await page.goto(`${baseURL}/admin/reviews`)
  await page.waitForURL(/\/sign-in\?to=/)
  await context.close()
  expect(await cli('audit', 'verify')).toMatchObject({ brokenAt: null })
})

test('the log-in refuses a wrong password and a wrong code, and admin pages require a log-in', async ({
  page,
  baseURL,
}) => {
  const email = await anOperator()
  for (const path of ['', '/reviews', '/audit', '/sessions', '/second-factor']) {
    await page.goto(`${baseURL}/admin${path}`)
    await page.waitForURL(/\/sign-in(\?to=\S+)?$/)
  }
  await fillPassword(page, email, 'wrong horse battery')
  await expect(page.locator('main').getByRole('alert')).toContainText('Sign-in failed')
  await fillPassword(page, email)
  await page.waitForURL(/\/second-factor$/)
  await page.goto(`${baseURL}/admin/reviews`)
  await page.waitForURL(/\/second-factor\?to=/)
  await page.locator('[name=code]').fill('000000')
  await page.locator('main button[type=submit]').click()
  await expect(page.locator('#code-error')).toContainText('The code is wrong')
  await expect(page).toHaveTitle(/^Set up your second factor/)
  const cookies = await page.context().cookies()
  // The form cookie stores the values of the refused form, encrypted, for two minutes.
  expect(cookies.map(({ name }) => name).sort()).toEqual(['__Host-billhook-form', '__Host-billhook-operator'])
  for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' })
})

test('a link in an email opens its page after the log-in, or immediately in an open session', async ({
  page,
  baseURL,
}) => {
  const email = await anOperator()
  const wanted = `${baseURL}/admin/search?q=ada%40example.com`
  await page.route('https://mail.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${wanted}">See it</a>` }),
  )
  const follow = async () => {
    await page.goto('https://mail.example/')
    await page.getByRole('link', { name: 'See it' }).click()
  }
  await follow()
  await page.waitForURL(/\/sign-in\?to=/)
  await fillPassword(page, email, 'wrong horse battery')
  await page.waitForURL(/\/sign-in\?refused&form=\w+&to=/)
  await fillPassword(page, email)
  await page.waitForURL(/\/second-factor\?to=/)
  const secret = (await page.locator('main code').first().textContent()) ?? ''
  await page.locator('[name=code]').fill('000000')
  await page.locator('main button[type=submit]').click()
  await page.waitForURL(/\/second-factor\?refused&to=/)
  await page.locator('[name=code]').fill(codeOf(secret))
  await page.locator('main button[type=submit]').click()
  await page.waitForURL(wanted)
  await follow()
  await page.waitForURL(wanted)
  await expect(page.locator('[name=q]')).toBeVisible()
})

test('the log-in and review pages have no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  baseURL,
  shop,
}) => {
  const plan = await aLivePlan(shop, `Plan with ${'a very long name '.repeat(6)}`)
  await onEveryScreen(browser, async (view, isWell) => {
    const email = await anOperator()
    await view.goto(`${baseURL}/admin/sign-in?refused`)
    await isWell()
    await fillPassword(view, email)
    await view.waitForURL(/\/second-factor$/)
    await isWell()
    const secret = (await view.locator('main code').first().textContent()) ?? ''
    await view.locator('[name=code]').fill(codeOf(secret))
    await view.locator('main button[type=submit]').click()
    await view.waitForURL(/\/admin$/)
    for (const path of [`reviews/${plan.id}`, `reviews/${plan.id}?missing`, 'reviews/x']) {
      await view.goto(`${baseURL}/admin/${path}`)
      await isWell()
    }
  })
})
