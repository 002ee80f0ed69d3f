import type { Page } from '@playwright/test'
import { recoveryCodes } from '../lib/modules/operators/second-factor.ts'
import { anOperator, codeOf, fillPassword, logIn } from './operator.ts'
import { onEveryScreen, shiftsOf } from './screens.ts'
import { expect, test } from './test.ts'

async function aDeviceFor(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('an operator adds a passkey, logs in with only the passkey, and removes the passkey', async ({
  page,
  baseURL,
}) => {
  await aDeviceFor(page)
  const secret = await logIn(page, baseURL, await anOperator())
  await page.goto(`${baseURL}/admin/sessions`)
  // Each code is accepted once, and the log-in has used the current code. The test therefore enters the next code, which is already accepted.
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForURL(/\/admin\/sessions\/passkeys\?challenge=/)
  await page.getByLabel('Name').fill('Work laptop')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('The passkey is added. Use it the next time you sign in.')
  await expect(page.getByText('Work laptop')).toBeVisible()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/admin$/)

  await page.goto(`${baseURL}/admin/sessions`)
  await page
    .locator('#passkeys')
    .locator('..')
    .getByLabel('Code', { exact: true })
    .fill(recoveryCodes(secret)[0] ?? '')
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await expect(page.getByRole('status')).toContainText('The passkey is removed.')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('That passkey did not sign you in')
})

test('the layout of the log-in page does not shift when the passkey button appears', async ({ page, baseURL }) => {
  await page.goto(`${baseURL}/admin/sign-in`)
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
  expect(await shiftsOf(page)).toEqual([])
})

test('without JavaScript, the log-in offers a password but no passkey', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${baseURL}/admin/sign-in`)
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await fillPassword(page, await anOperator())
  await page.waitForURL(/\/second-factor$/)
  await context.close()
})

test('the passkey pages have no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  baseURL,
}) => {
  await onEveryScreen(browser, async (view, isWell) => {
    const secret = await logIn(view, baseURL, await anOperator())
    await view.goto(`${baseURL}/admin/sessions?failed=code#passkeys`)
    await isWell()
    await view.getByLabel('Code of your authenticator app').fill(codeOf(secret, 1))
    await view.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(view.getByLabel('Name')).toBeVisible()
    await isWell()
    // Simulates that the operator cancels the creation of the passkey.
    await view.evaluate(() => {
      navigator.credentials.create = () => Promise.reject(new DOMException('canceled', 'NotAllowedError'))
    })
    await view.getByLabel('Name').fill('Phone')
    await view.keyboard.press('Enter')
    await expect(view.getByRole('main').getByRole('alert')).toHaveText('No passkey was created. Try again.')
    await isWell()
  })
})
