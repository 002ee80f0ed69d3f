import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { brandColors } from '../lib/modules/brand/rules/accent.ts'
import { parseColor } from '../lib/modules/brand/rules/color.ts'
import { onEveryScreen, shiftsOf } from './screens.ts'
import { aCheckout, cli, type Shop } from './shop.ts'
import { buy, lastOrder } from './subscription.ts'
import { expect, payButton, test } from './test.ts'

const accent = '#166534'
const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="168" height="36"><circle cx="18" cy="18" r="16"/>
  <rect x="48" y="12" width="110" height="12"/></svg>`

async function brand({ storefrontId }: Shop, logo: string): Promise<void> {
  await writeFile(logo, mark)
  const texts = {
    'display-name': 'Northwind Tools',
    'support-email': 'help@northwind.example',
    'support-url': 'https://northwind.example/help',
    'terms-url': 'https://northwind.example/terms',
    'privacy-url': 'https://northwind.example/privacy',
  }
  const flags = Object.entries({ ...texts, accent, logo }).flatMap(([flag, value]) => [`--${flag}`, value])
  const saved = await cli('brand', 'set', '--storefront', storefrontId, ...flags)
  expect(saved).toMatchObject({ shownName: 'Northwind Tools', accentInLight: accent })
}

async function showsLogo(page: Page): Promise<void> {
  const logo = page.getByRole('img', { name: 'Northwind Tools' }).filter({ visible: true }).first()
  await expect(logo).toBeVisible()
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  // The logo must have no padding in either color scheme, because padding in one scheme would make the logo smaller
  // than in the other.
  await expect(logo).toHaveCSS('padding', '0px')
  expect(await shiftsOf(page)).toEqual([])
}

test('the pages of a storefront show its brand in light mode and in dark mode, and meet WCAG 2.2 AA', async ({
  browser,
  shop,
  shopUrl,
}, info) => {
  const { customerId } = await buy(shop, shopUrl, { locale: 'de' })
  const invoice = (await lastOrder(shop)).links.customerInvoice.href
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
  await brand(shop, info.outputPath('logo.svg'))
  const { test: signIn } = await cli('portal', 'address', '--storefront', shop.storefrontId)

  await onEveryScreen(
    browser,
    async (view, isWell) => {
      const inBothSchemes = async (isRight: (colorScheme: 'light' | 'dark') => Promise<void>) => {
        for (const colorScheme of ['dark', 'light'] as const) {
          await view.emulateMedia({ colorScheme })
          await isRight(colorScheme)
        }
      }
      await view.goto(checkout.url)
      await inBothSchemes(async (colorScheme) => {
        const [red, green, blue] = parseColor(brandColors(accent)[colorScheme].accent) ?? []
        await expect(payButton(view)).toHaveCSS('background-color', `rgb(${red}, ${green}, ${blue})`)
      })
      await expect(view.getByRole('link', { name: 'help@northwind.example' })).toHaveAttribute(
        'href',
        'mailto:help@northwind.example',
      )
      for (const href of ['https://northwind.example/help', 'https://northwind.example/terms'])
        await expect(view.locator(`a[href="${href}"]`).first()).toBeVisible()
      await inBothSchemes(() => showsLogo(view))
      await isWell()
      const { url } = await shop.api('POST', `/customers/${customerId}/portal-sessions`, { returnUrl: null })
      await view.goto(url)
      await inBothSchemes(() => showsLogo(view))
      await view.locator('main button').click()
      await view.waitForURL(/\/portal$/)
      for (const each of [view.url(), invoice, signIn]) {
        await view.goto(each)
        await inBothSchemes(() => showsLogo(view))
        await isWell()
      }
    },
    { alsoInDark: true },
  )
})

test('with forced colors, a button keeps its size and has a visible border', async ({ browser, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
  const { test: signIn } = await cli('portal', 'address', '--storefront', shop.storefrontId)
  const edges: string[] = []
  for (const forcedColors of ['none', 'active'] as const) {
    const context = await browser.newContext({ forcedColors, viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    for (const url of [checkout.url, signIn]) {
      await page.goto(url)
      const button = page.locator('button[type=submit]:not([name=intent])').first()
      const { height } = (await button.boundingBox()) ?? {}
      const edge = await button.evaluate((element) => {
        const { borderTopWidth, borderTopStyle, borderTopColor, color } = getComputedStyle(element)
        return `${borderTopWidth} ${borderTopStyle}${borderTopColor === color ? ' of its letters' : ''}`
      })
      edges.push(`${forcedColors}, ${height}: ${edge}`)
    }
    await context.close()
  }
  const expected = ['none, 48: 1px solid', 'active, 48: 1px solid of its letters']
  expect(edges).toEqual(expected.flatMap((each) => [each, each]))
})

test('a logo is served as an immutable PNG, and altered URLs get 404', async ({ request, shop }, info) => {
  await brand(shop, info.outputPath('logo.svg'))
  const { logo } = await cli('brand', 'show', '--storefront', shop.storefrontId)
  const [path = ''] = logo.split(' ')
  const answer = await request.get(path)
  expect(answer.status()).toBe(200)
  expect(answer.headers()).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  expect((await answer.body()).subarray(1, 4).toString()).toBe('PNG')
  const headers = { 'if-none-match': answer.headers().etag ?? '' }
  expect((await request.get(path, { headers })).status()).toBe(304)
  for (const wrong of [path.replace('.png', '.svg'), `${path}/x`, '/brand/', '/brand/..%2f..%2fpackage.json'])
    expect((await request.get(wrong)).status(), wrong).toBe(404)
})
