// Takes pictures of all pages of the admin area on a separate installation with a year of test data.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { openEveryPage } from '../e2e/admin-area.ts'
import { enter, enterAs } from '../e2e/operator.ts'
import { start, stopAll } from '../e2e/own-service.ts'
import { MerchantServer } from '../e2e/receiver.ts'
import { aLivePlan, aShop, cli, type Shop } from '../e2e/shop.ts'
import { makeSheets } from './contact-sheets.ts'
import { root } from './environment.mjs'
import { prepareFolder } from './old-pictures.ts'
import { run, step } from './progress.mjs'
import { photographSignedOut } from './signed-out-pictures.ts'

interface Reader {
  readonly name: string
  readonly looks: readonly Look[]
  enter(page: Page): Promise<unknown>
}

interface Look {
  readonly locale: 'en' | 'de' | 'pl'
  readonly colorScheme: 'light' | 'dark'
  readonly width: 1280 | 390
}

const looksOfOperator: readonly Look[] = [
  { locale: 'en', colorScheme: 'light', width: 1280 },
  { locale: 'en', colorScheme: 'light', width: 390 },
  { locale: 'de', colorScheme: 'light', width: 1280 },
  { locale: 'de', colorScheme: 'dark', width: 1280 },
  { locale: 'de', colorScheme: 'dark', width: 390 },
]

const looksOfOwner: readonly Look[] = [
  { locale: 'en', colorScheme: 'light', width: 1280 },
  { locale: 'en', colorScheme: 'dark', width: 1280 },
  { locale: 'en', colorScheme: 'dark', width: 390 },
  { locale: 'pl', colorScheme: 'light', width: 390 },
]

/** The maximum height of a picture, in pixels. A taller page is cut. Contact sheets show only the top of each picture. */
const mostHeight = 4000

export async function photographAdminArea(browser: Browser, folder: string): Promise<void> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-pictures-'))
  // If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(data, 0o711)
  const environment = { BILLHOOK_DATA: data, DATABASE_URL: '', PUBLIC_BASE_URL: '', WEBHOOK_ALLOWED_HOSTS: 'localhost' }
  Object.assign(process.env, environment)
  try {
    const baseUrl = await start('all', environment)
    const shop = await aShop(baseUrl)
    await addHistory(shop, baseUrl)
    await photographSignedOut(browser, { folder, baseUrl })
    await photographEveryPage(browser, { folder, baseUrl, shop })
  } finally {
    await stopAll()
    rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Adds a year of sales, and objects for pages that would otherwise be empty. */
async function addHistory(shop: Shop, baseUrl: string): Promise<void> {
  const seed = [path.join(root, 'packages/cli/bin/billhook.js'), 'seed', '--year']
  const env = { ...process.env, BILLHOOK_URL: baseUrl, BILLHOOK_KEY: shop.testKey }
  await step('Making a year of history', () => run('billhook seed', process.execPath, seed, { env }))
  await addRareObjects(shop)
}

async function addRareObjects({ api, storefrontId, ...shop }: Shop): Promise<void> {
  const merchant = new MerchantServer('whsec_a secret of the merchant')
  await api('POST', '/webhook-endpoints', { url: `${await merchant.start()}/hooks`, secret: merchant.secret })
  await merchant.stop()
  const { data: subscriptions } = await api('GET', '/subscriptions?status=active&limit=50')
  const monthly = subscriptions.find(({ interval }: { interval: string }) => interval === 'month')
  await api('POST', `/test-helpers/subscriptions/${monthly.id}/payment-behavior`, { outcome: 'failed' })
  await api('POST', '/test-helpers/clock/advance', { to: monthly.renewedUntil })
  const { data: orders } = await api('GET', '/orders?status=paid&limit=50')
  for (const [at, more] of [[], ['--reason', 'fraud'], ['--amount', '0.50']].entries())
    await cli('chargeback', 'raise', '--order', orders[at].id, ...more)
  await cli('payout', 'create', '--storefront', storefrontId, '--mode', 'test', '--amount', '100.00')
  const { data: plans } = await api('GET', '/subscription-plans')
  const items = [{ id: plans[0].id, minQuantity: 1, maxQuantity: 9 }]
  await api('POST', '/payment-links', { name: 'Pricing page', items })
  await aLivePlan({ api, storefrontId, ...shop }, 'Team')
}

/** URLs of pages in a special state, such as a missing order or a filter without a match. */
async function statesOf({ api, storefrontId }: Shop): Promise<Map<string, string>> {
  const at = `/admin/test/${storefrontId}`
  const live = `/admin/live/${storefrontId}`
  const states = new Map<string, string>([
    ['x-missing', `${at}/orders/order_missing`],
    ['x-orders-no-match', `${at}/orders?to=2020-01-01`],
    ['x-search-found', '/admin/search?q=Weber'],
  ])
  for (const [kind, statuses] of [
    ['orders', ['paid', 'pending', 'canceled', 'expired']],
    ['subscriptions', ['active', 'trial', 'on_grace_period', 'paused', 'canceled']],
  ] as const)
    for (const status of statuses) {
      const [newest] = (await api('GET', `/${kind}?status=${status}&limit=1`)).data
      states.set(`x-${kind}-${status}`, newest ? `${at}/${kind}/${newest.id}` : `${at}/${kind}?status=${status}`)
    }
  const [refund] = (await api('GET', '/refunds?limit=1')).data
  if (refund) states.set('x-orders-refunded', `${at}/orders/${refund.originalOrderId}`)
  for (const list of ['', 'orders', 'subscriptions', 'customers', 'past-due', 'chargebacks', 'payment-links'])
    states.set(`x-live-${list || 'home'}`, `${live}/${list}`.replace(/\/$/, ''))
  for (const list of ['checkouts', 'balance', 'payouts', 'tax-report', 'endpoints', 'deliveries', 'events', 'emails'])
    states.set(`x-live-${list}`, `${live}/${list}`)
  return states
}

interface Area {
  readonly folder: string
  readonly baseUrl: string
  readonly shop: Shop
}

async function photographEveryPage(browser: Browser, { folder, baseUrl, shop }: Area): Promise<void> {
  const storefront = `/admin/test/${shop.storefrontId}`
  const [sold] = (await shop.api('GET', '/orders?status=paid&limit=1')).data
  const readers: readonly Reader[] = [
    { name: 'operator', looks: looksOfOperator, enter: (page) => enter(page, baseUrl) },
    { name: 'owner', looks: looksOfOwner, enter: (page) => enterAs(page, baseUrl, shop, 'owner') },
  ]
  for (const reader of readers) {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    await reader.enter(page)
    const addresses = new Map<string, string>()
    await step(`Opening every page as ${reader.name}`, () =>
      openEveryPage(
        page,
        baseUrl,
        { storefront, more: [`${storefront}/orders/${sold.id}/refund`] },
        async (which, address) => void addresses.set(which.slice(1).replaceAll('/', '-'), address),
      ),
    )
    for (const [name, address] of await statesOf(shop)) addresses.set(name, address)
    for (const look of reader.looks) {
      const to = path.join(folder, [reader.name, ...Object.values(look)].join('-'))
      await step(`Taking ${addresses.size} pictures: ${path.basename(to)}`, async () => {
        await photograph(page, { baseUrl, addresses, look, to })
        await makeSheets(page, to, look.width)
      })
    }
    await context.close()
  }
}

async function photograph(
  page: Page,
  { baseUrl, addresses, look, to }: { baseUrl: string; addresses: Map<string, string>; look: Look; to: string },
): Promise<void> {
  const { locale, colorScheme, width } = look
  prepareFolder(to)
  await page.goto(`${baseUrl}/admin/sessions`)
  if ((await page.locator('html').getAttribute('lang')) !== locale) {
    await page.locator('[name=language]').selectOption(locale)
    await page.locator('form:has([name=language]) button').click()
    await page.locator(`html[lang=${locale}]`).waitFor()
  }
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  for (const [name, address] of addresses) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${baseUrl}${address}`)
    const { scrollWidth, scrollHeight } = await page
      .locator('html')
      .evaluate(({ scrollWidth, scrollHeight }) => ({ scrollWidth, scrollHeight }))
    if (scrollWidth > width) console.log(`wider than ${width} px: ${address}`)
    // The sidebar has the height of the window, so the window needs the height of the page.
    await page.setViewportSize({ width, height: Math.min(mostHeight, scrollHeight) })
    await page.screenshot({ path: path.join(to, `${name}.png`), animations: 'disabled' })
  }
}
