import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Role } from '../lib/modules/operators/rules/access.ts'
import { recoveryCodes } from '../lib/modules/operators/second-factor.ts'
import { cli, type Shop } from './shop.ts'

export const password = 'correct horse battery'

export async function anOperator(): Promise<string> {
  const email = `ops-${crypto.randomUUID()}@example.com`
  await cli('operator', 'create', '--email', email, '--password', password)
  return email
}

export async function fillPassword(page: Page, email: string, given = password): Promise<void> {
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(given)
  await page.getByRole('button', { name: 'Continue' }).click()
}

export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Logs in and sets up the second factor. Returns the secret of the second factor. */
export async function logIn(page: Page, baseURL: string | undefined, email: string): Promise<string> {
  await page.goto(`${baseURL}/admin`)
  await page.waitForURL(/\/admin\/sign-in$/)
  await fillPassword(page, email)
  await page.waitForURL(/\/second-factor$/)
  await expect(page).toHaveTitle(/^Set up your second factor/)
  const secret = (await page.locator('main code').first().textContent()) ?? ''
  await page.locator('[name=code]').fill(codeOf(secret))
  await page.locator('main button[type=submit]').click()
  await page.waitForURL(/\/admin$/)
  return secret
}

async function aSession(baseURL: string, email: string): Promise<Session> {
  let cookie = ''
  const ask = async (path: string, form?: Record<string, string>) => {
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const answer = await fetch(`${baseURL}/admin/${path}`, {
      headers: { cookie, origin: baseURL },
      redirect: 'manual',
      ...body,
    })
    const [given = cookie] = answer.headers.getSetCookie()
    cookie = given.split(';')[0] ?? ''
    return answer
  }
  await ask('sign-in/submit', { email, password })
  const [, secret] = /<main.*?<code[^>]*>(\w+)</s.exec(await (await ask('second-factor')).text()) ?? []
  const { headers } = await ask('second-factor/submit', { code: codeOf(secret ?? '') })
  expect(headers.get('location')).toMatch(/\/admin$/)
  return { cookie, codes: recoveryCodes(secret ?? '') }
}

interface Session {
  readonly cookie: string
  readonly codes: readonly string[]
}

let ownSession: Promise<Session> | undefined

/** Logs in to the account with this email address, or to a shared operator’s account. Returns recovery codes, each of which confirms one action. */
export async function enter(page: Page, baseURL: string | undefined, email?: string): Promise<readonly string[]> {
  const url = baseURL ?? ''
  if (!email) ownSession ??= anOperator().then((own) => aSession(url, own))
  const session = await (email ? aSession(url, email) : ownSession)
  const [name = '', value = ''] = session?.cookie.split('=') ?? []
  const where = { domain: new URL(url).hostname, path: '/', secure: true }
  await page.context().addCookies([{ name, value, ...where, httpOnly: true, sameSite: 'Strict' }])
  return session?.codes ?? []
}

/** Logs in as a new member of the storefront's merchant. Returns recovery codes, as `enter` does. */
export async function enterAs(
  page: Page,
  baseURL: string | undefined,
  { merchantId }: Pick<Shop, 'merchantId'>,
  role: Role,
) {
  const email = `${role}-${crypto.randomUUID()}@example.com`
  await cli('member', 'create', '--merchant', merchantId, '--role', role, '--email', email, '--password', password)
  return enter(page, baseURL, email)
}

/** Presses the shortcut repeatedly, until the script of the page handles it. */
export async function search(page: Page, text: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q')
  }).toPass()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?q=/)
}
