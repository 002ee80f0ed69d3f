import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { enter } from './operator.ts'
import { problemsOf } from './screens.ts'
import { aPlan, cli } from './shop.ts'
import { buy, lastOrder } from './subscription.ts'
import { expect, test } from './test.ts'

/** The path of every page behind the log-in, with `x` for each parameter. */
const folder = 'app/(admin)/admin/(signed-in)'
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'page.tsx')
  .map((file) =>
    path.posix.join(
      '/admin',
      path
        .dirname(file)
        .replace('(service)', '')
        .replaceAll(/\[\w+\]/g, 'x'),
    ),
  )
  .map((address) => address.replace(/\/\.$/, ''))

function pageOf(address: string): string | undefined {
  const parts = address.split('/')
  const fits = (each: string) =>
    each.split('/').length === parts.length &&
    each.split('/').every((part, index) => part === parts[index] || (part === 'x' && parts[index] !== 'new'))
  return pages.find((each) => each === address) ?? pages.filter(fits).sort((a, b) => b.length - a.length)[0]
}

/** The maximum size of a page's HTML in bytes, as sent. */
const mostBytes = 30_000

/** The headers of a page behind the log-in: no caching, no frames, and only its own scripts. */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': expect.stringMatching(
    /default-src 'none'; script-src 'nonce-[^']+' 'strict-dynamic';.* frame-ancestors 'none'; base-uri 'none'/,
  ),
}

async function addressesOn(page: Page): Promise<string[]> {
  const hrefs = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  return hrefs.filter((href) => href.startsWith(new URL(page.url()).origin)).map((href) => new URL(href).pathname)
}

/** Saves pictures of a page to the folder in SCREENSHOTS, which `npm run screenshots` sets. */
async function photograph(page: Page, which: string): Promise<void> {
  const to = process.env.SCREENSHOTS
  if (!to) return
  const name = which.slice(1).replaceAll('/', '-')
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const file = path.join(to, `${name}.en.${width}.${colorScheme}.png`)
      await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
    }
  }
}

const admin = (locale: string) => textsOf(JSON.parse(readFileSync(`messages/admin/${locale}.json`, 'utf8')))
const german = admin('de')
const known = new Set(german.values())
/** Texts with arguments are left out, because pages fill arguments in. */
const onlyEnglish = [...admin('en').values()].filter((text) => !/[{<]/.test(text) && !known.has(text))

function textsOf(messages: object, before = ''): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${before}${name}`, value] as const] : [...textsOf(value, `${before}${name}.`)],
  )
  return new Map(entries)
}

const englishOn = (page: Page): Promise<string[]> =>
  page.evaluate((english) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const shown = new Set<string>()
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode
      if (parentElement && !parentElement.closest('script, style')) shown.add((textContent ?? '').trim())
    }
    return english.filter((text) => shown.has(text))
  }, onlyEnglish)

/** The page that asks for a code. A form leads to it if the code is missing. */
async function confirmPage(page: Page, formUrl: string): Promise<string> {
  await page.goto(formUrl)
  await page
    .locator('main form [name=code]')
    .first()
    .evaluate((code) => {
      const button = code.closest('form')?.querySelector('button')
      code.remove()
      button?.click()
    })
  await page.waitForURL(/\/admin\/confirm\?to=/)
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

test('links lead to every page of the admin area, and each page fits a phone, meets WCAG 2.2 AA, and is below the size limit', async ({
  page,
  baseURL,
  shop,
  merchant,
  shopUrl,
}) => {
  test.slow()
  await shop.api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  await buy(shop, shopUrl)
  const order = await lastOrder(shop)
  await buy(shop, shopUrl)
  const { id: sold } = await lastOrder(shop)
  const items = [{ id: await aPlan(shop), minQuantity: 1, maxQuantity: 9 }]
  await shop.api('POST', '/payment-links', { name: 'Pricing page', items })
  await cli('chargeback', 'raise', '--order', order.id, '--amount', '500.00')
  await cli('chargeback', 'raise', '--order', order.id, '--amount', '1.00')
  await cli('payout', 'create', '--storefront', shop.storefrontId, '--mode', 'test', '--amount', '1.00')
  await shop.api(
    'POST',
    '/one-off-products',
    {
      name: 'Reviewed',
      description: 'For live mode',
      productType: 'saas',
      basePrice: { value: '1.00', currency: 'EUR' },
    },
    shop.liveKey,
  )
  await enter(page, baseURL)

  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  const found = new Map<string, string[]>()
  const heavy: Record<string, number> = {}
  const addresses: string[] = []
  const storefront = `/admin/test/${shop.storefrontId}`
  // The storefront in test mode has data, so its pages come first.
  const next = [storefront, '/admin', storefront.replace('/test/', '/live/')]
  next.push(
    await confirmPage(page, `${baseURL}${storefront.replace('/test/', '/live/')}/keys`),
    '/admin/search?q=Lumen',
    '/admin/sessions/passkeys',
    `${storefront}/orders/${sold}/refund`,
  )
  for (let address = next.shift(); address !== undefined; address = next.shift()) {
    const which = pageOf(address.split('?')[0] ?? '')
    if (which === undefined || found.has(which)) continue
    const response = await page.goto(`${baseURL}${address}`)
    if (!response?.headers()['content-type']?.startsWith('text/html') || response.status() !== 200) continue
    expect(response.headers(), which).toMatchObject(privateHeaders)
    expect(await page.title(), which).toMatch(/ · Billhook admin$/)
    found.set(which, await problemsOf(page))
    const { responseBodySize } = await response.request().sizes()
    if (responseBodySize > mostBytes) heavy[which] = responseBodySize
    addresses.push(address)
    await photograph(page, which)
    next.push(...(await addressesOn(page)).filter((each) => each.startsWith('/admin')))
  }
  const wrong = [...found].filter(([, problems]) => problems.length > 0)
  expect(Object.fromEntries(wrong)).toEqual({})
  expect(complaints).toEqual([])
  expect(heavy).toEqual({})
  expect(pages.filter((each) => !found.has(each))).toEqual([])

  await page.goto(`${baseURL}/admin/sessions`)
  await page.locator('[name=language]').selectOption('de')
  await page.getByRole('button', { name: 'Save the language' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const english: Record<string, string[]> = {}
  for (const address of addresses) {
    await page.goto(`${baseURL}${address}`)
    const remaining = await englishOn(page)
    if (remaining.length > 0) english[address] = remaining
  }
  expect(english).toEqual({})
})

test('the sign-in page is in the language of the browser', async ({ baseURL }) => {
  const ask = (language: string) => fetch(`${baseURL}/admin/sign-in`, { headers: { 'accept-language': language } })
  expect(await (await ask('pl, en;q=0.5')).text()).toContain('<html lang="pl"')
  expect(await (await ask('ja')).text()).toContain('<html lang="en"')
})
