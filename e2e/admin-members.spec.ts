import { readFileSync } from 'node:fs'
import { codeOf, enter, password } from './operator.ts'
import { onEveryScreen } from './screens.ts'
import { cli } from './shop.ts'
import { expect, test } from './test.ts'

const polish = JSON.parse(readFileSync('messages/admin/pl.json', 'utf8'))

let made = 0

async function aTeam() {
  const { merchantId } = await cli('merchant', 'create', '--name', 'Northwind')
  const { storefrontId } = await cli('storefront', 'create', '--merchant', merchantId, '--name', 'Northwind Tools')
  const name = `${process.pid}-${++made}@example.com`
  const owner = `owner${name}`
  const logInOf = ['--email', owner, '--password', password]
  await cli('member', 'create', '--merchant', merchantId, '--role', 'owner', ...logInOf)
  const link = async (): Promise<string> => {
    const emails: { kind: string; text: string }[] = await cli('email', 'list', '--storefront', storefrontId)
    const email = emails.find(({ kind }) => kind === 'member_invitation')
    return /https?:\S+\/admin\/invitation\/\S+/.exec(email?.text ?? '')?.[0] ?? ''
  }
  return { storefrontId, owner, invited: `new${name}`, link }
}

test('without JavaScript, an invited member sets a password and a second factor, and the owner removes the member', async ({
  browser,
  baseURL,
}) => {
  const { storefrontId, owner, invited, link } = await aTeam()
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const [first = '', second = ''] = await enter(page, baseURL, owner)
  await page.goto(`${baseURL}/admin/test/${storefrontId}/members`)
  await page.locator('input[name=email]').fill(invited)
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('support')
  await page.locator('#code').fill(first)
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(page.getByRole('status')).toHaveText('The invitation is being sent.')

  const member = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  const url = await link()
  expect((await member.goto(url))?.status()).toBe(200)
  await expect(member.getByRole('heading', { level: 1 })).toHaveText('Join Northwind')
  await member.locator('[name=password]').fill(password)
  await member.getByRole('button', { name: 'Continue' }).click()
  await member.waitForURL(/\/second-factor$/)
  await member.locator('[name=code]').fill(codeOf((await member.locator('main code').first().textContent()) ?? ''))
  await member.locator('main button[type=submit]').click()
  await member.waitForURL(/\/admin\/test\/storefront_\w+$/)
  await expect(member.getByRole('link', { name: 'Team' })).toHaveCount(0)
  expect((await page.request.get(url)).status()).toBe(410)
  await member.goto(`${baseURL}/admin/sessions`)
  await member.getByRole('combobox', { name: 'Language' }).selectOption('Polski')
  await member.getByRole('button', { name: 'Save the language' }).click()
  await expect(member.getByRole('status')).toHaveText(polish.sessions.languageChanged)
  await expect(member.getByRole('combobox', { name: polish.language })).toHaveValue('pl')

  await page.goto(`${baseURL}/admin/test/${storefrontId}/members`)
  const row = page.getByRole('row', { name: new RegExp(invited) })
  await row.locator('summary').click()
  await row.getByLabel('Code').fill(second)
  await row.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('status')).toHaveText('The member is removed.')
  await member.reload()
  await member.waitForURL(/\/admin\/sign-in\?to=/)
})

test('the members and invitation pages have no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  baseURL,
}) => {
  await onEveryScreen(
    browser,
    async (view, isWell) => {
      const { storefrontId, owner, invited, link } = await aTeam()
      const [code = ''] = await enter(view, baseURL, owner)
      await view.goto(`${baseURL}/admin/test/${storefrontId}/members`)
      await view.locator('input[name=email]').fill(owner)
      await view.locator('#code').fill(code)
      await view.getByRole('button', { name: 'Send the invitation' }).click()
      await expect(view.locator('#email-error')).toHaveText('This person is already a member.')
      await expect(view.locator('#problems')).toBeFocused()
      await isWell()
      await view.locator('#problems').getByRole('link', { name: 'This person is already a member.' }).click()
      await expect(view.locator('input[name=email]')).toBeFocused()
      await view.locator('summary').first().click()
      await view.locator('details').getByLabel('Code').fill(code)
      await view.getByRole('button', { name: 'Remove' }).click()
      await expect(view.locator('#problems')).toBeFocused()
      await isWell()
      await view.locator('#problems').getByRole('link', { name: 'A merchant must have at least one owner.' }).click()
      await expect(view.getByLabel(`Role of ${owner}`)).toBeFocused()
      await view.locator('input[name=email]').fill(invited)
      await view.locator('#code').fill(code)
      await view.getByRole('button', { name: 'Send the invitation' }).click()
      await expect(view.getByRole('status')).toHaveText('The invitation is being sent.')
      await view.locator('summary').first().click()
      await isWell()
      const url = await link()
      await view.goto(`${url}?problem=password`)
      await isWell()
      await view.goto(`${baseURL}/admin/test/${storefrontId}/members`)
      await view.getByRole('button', { name: 'Withdraw' }).click()
      await expect(view.getByRole('status')).toHaveText('The invitation is withdrawn.')
      expect((await view.goto(url))?.status()).toBe(410)
      await isWell()
      expect((await view.goto(url.slice(0, -1)))?.status()).toBe(404)
    },
    { mayComplain: /404|410/ },
  )
})

test('the pages for a password reset do not reveal whether an account exists, and have no layout or accessibility problem', async ({
  browser,
  baseURL,
}) => {
  await onEveryScreen(
    browser,
    async (view, isWell) => {
      await view.goto(`${baseURL}/admin/sign-in`)
      await view.getByRole('link', { name: 'Forgot your password?' }).click()
      await expect(view.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?')
      await isWell()
      const { owner } = await aTeam()
      const responses: string[] = []
      for (const email of [owner, 'nobody@example.com']) {
        await view.goto(`${baseURL}/admin/password`)
        await view.locator('[name=email]').fill(email)
        await view.getByRole('button', { name: 'Send me a link' }).click()
        await expect(view.getByRole('status')).toContainText('If an account uses this address')
        responses.push(`${view.url()} ${await view.locator('main').textContent()}`)
        await isWell()
      }
      const [known, unknown] = responses
      expect(unknown).toBe(known)
      expect((await view.goto(`${baseURL}/admin/password/${'a'.repeat(43)}`))?.status()).toBe(404)
      await isWell()
      await view.getByRole('link', { name: 'Ask for another link' }).click()
      await expect(view.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?')
      await view.goto(`${baseURL}/admin/sign-in?password-set`)
      await expect(view.getByRole('status')).toHaveText('Your new password is set. Sign in with it.')
      await isWell()
    },
    { mayComplain: /404/ },
  )
})
