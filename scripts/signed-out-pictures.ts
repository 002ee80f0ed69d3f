// Takes pictures of the pages of the admin area that a person sees before the log-in is complete.
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { codeOf, enterAs, password } from '../e2e/operator.ts'
import { aStorefront, cli } from '../e2e/shop.ts'
import { makeSheets } from './contact-sheets.ts'
import { prepareFolder } from './old-pictures.ts'
import { step } from './progress.mjs'

interface Area {
  readonly folder: string
  readonly baseUrl: string
}

const missing = 'a'.repeat(43)

const openPages = {
  'sign-in': '/admin/sign-in',
  'sign-in-refused': '/admin/sign-in?refused',
  'sign-in-busy': '/admin/sign-in?busy',
  'sign-in-passkey-refused': '/admin/sign-in?passkey-refused',
  'sign-in-signed-out': '/admin/sign-in?signed-out',
  'sign-in-password-set': '/admin/sign-in?password-set',
  password: '/admin/password',
  'password-problem': '/admin/password?problem=email',
  'password-sent': '/admin/password?sent',
  'password-missing': `/admin/password/${missing}`,
  'invitation-missing': `/admin/invitation/${missing}`,
}

export async function photographSignedOut(browser: Browser, { folder, baseUrl }: Area): Promise<void> {
  const invitation = await invite(browser, baseUrl)
  for (const locale of ['en', 'de'])
    await step(`Taking pictures before the log-in (${locale})`, async () => {
      const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
      const page = await context.newPage()
      const shoot = async (name: string) => {
        for (const [look, { width, colorScheme }] of looks) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const to = path.join(folder, `signed-out-${locale}-${look}`)
          await page.screenshot({ path: path.join(to, `${name}.png`), animations: 'disabled', fullPage: true })
        }
      }
      for (const [look] of looks) prepareFolder(path.join(folder, `signed-out-${locale}-${look}`))
      for (const [name, address] of Object.entries({
        ...openPages,
        invitation,
        'invitation-problem': `${invitation}?problem=password`,
      })) {
        await page.goto(new URL(address, baseUrl).href)
        await shoot(name)
      }
      await takeSecondFactor(page, baseUrl, shoot)
      for (const [look, { width }] of looks)
        await makeSheets(page, path.join(folder, `signed-out-${locale}-${look}`), width)
      await context.close()
    })
}

const looks = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => [`${colorScheme}-${width}`, { width, colorScheme }] as const),
)

async function invite(browser: Browser, baseUrl: string): Promise<string> {
  const shop = await aStorefront()
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const [code = ''] = await enterAs(page, baseUrl, shop, 'owner')
  await page.goto(`${baseUrl}/admin/test/${shop.storefrontId}/members`)
  await page.locator('input[name=email]').fill('new-member@example.com')
  await page.locator('#code').fill(code)
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByRole('status').waitFor()
  await context.close()
  const emails = await cli('email', 'list', '--storefront', shop.storefrontId)
  const email = emails.find(({ kind }: { kind: string }) => kind === 'member_invitation')
  return new URL(/https?:\S+\/admin\/invitation\/\S+/.exec(email.text)?.[0] ?? '').pathname
}

async function takeSecondFactor(page: Page, baseUrl: string, shoot: (name: string) => Promise<void>): Promise<void> {
  const email = `signed-out-${crypto.randomUUID()}@example.com`
  await cli('operator', 'create', '--email', email, '--password', password)
  const givePassword = async () => {
    await page.goto(`${baseUrl}/admin/sign-in`)
    await page.locator('[name=email]').fill(email)
    await page.locator('[name=password]').fill(password)
    await page.locator('form:has([name=password]) button').click()
    await page.waitForURL(/\/second-factor$/)
  }
  await givePassword()
  await shoot('second-factor-set-up')
  const secret = (await page.locator('main code').first().textContent()) ?? ''
  await page.locator('[name=code]').fill(codeOf(secret))
  await page.locator('main button[type=submit]').click()
  await page.waitForURL(/\/admin$/)
  await page.context().clearCookies()
  await givePassword()
  await shoot('second-factor')
  await page.goto(`${baseUrl}/admin/second-factor?refused`)
  await shoot('second-factor-refused')
}
