import { readFileSync } from 'node:fs'
import { adminPages, openEveryPage } from './admin-area.ts'
import { enter } from './operator.ts'
import { problemsOf } from './screens.ts'
import { aPlan, cli } from './shop.ts'
import { buy, lastOrder } from './subscription.ts'
import { expect, test } from './test.ts'

/** The maximum size of the HTML of an admin page, in bytes as sent. */
const mostBytes = 30_000

const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': expect.stringMatching(
    /default-src 'none'; script-src 'nonce-[^']+' 'strict-dynamic';.* frame-ancestors 'none'; base-uri 'none'/,
  ),
}

const admin = (locale: string) => textsOf(JSON.parse(readFileSync(`messages/admin/${locale}.json`, 'utf8')))
const german = admin('de')
const known = new Set(german.values())
const onlyEnglish = [...admin('en').values()].filter((text) => !/[{<]/.test(text) && !known.has(text))

function textsOf(messages: object, before = ''): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${before}${name}`, value] as const] : [...textsOf(value, `${before}${name}.`)],
  )
  return new Map(entries)
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Returns the English texts in the HTML of a page. React escapes every `<` and `>` outside of tags. */
function englishIn(html: string): string[] {
  const body = html.slice(html.indexOf('<body')).replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
  const texts = body.split(/<[^>]*>/).map((text) => text.replaceAll(/&([\w#]+);/g, (_, name) => characters[name] ?? ''))
  const shown = new Set(texts.map((text) => text.trim()))
  return onlyEnglish.filter((text) => shown.has(text))
}

test('the search for English texts reads the texts of an HTML page, and not its scripts', () => {
  const [first = '', second = '', third = ''] = onlyEnglish
  const html = `<head><title>${first}</title></head><body class="a"><p>\n${second} <!-- --></p><script>"<p>${third}</p>"</script>`
  expect(englishIn(html)).toEqual([second])
})

test('every admin page is linked, fits a phone, meets WCAG 2.2 AA, and stays below the size limit', async ({
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
  const more = [`${storefront}/orders/${sold}/refund`]
  await openEveryPage(page, baseURL ?? '', { storefront, more }, async (which, address, response) => {
    expect(response.headers(), which).toMatchObject(privateHeaders)
    expect(await page.title(), which).toMatch(/ · Billhook admin$/)
    found.set(which, await problemsOf(page))
    const { responseBodySize } = await response.request().sizes()
    if (responseBodySize > mostBytes) heavy[which] = responseBodySize
    addresses.push(address)
  })
  const wrong = [...found].filter(([, problems]) => problems.length > 0)
  expect(Object.fromEntries(wrong)).toEqual({})
  expect(complaints).toEqual([])
  expect(heavy).toEqual({})
  expect(adminPages.filter((each) => !found.has(each))).toEqual([])

  await page.goto(`${baseURL}/admin/sessions`)
  await page.locator('[name=language]').selectOption('de')
  await page.getByRole('button', { name: 'Save the language' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const english: Record<string, string[]> = {}
  for (const address of addresses) {
    const html = await (await page.request.get(`${baseURL}${address}`)).text()
    expect(html, address).toContain('<html lang="de"')
    const remaining = englishIn(html)
    if (remaining.length > 0) english[address] = remaining
  }
  expect(english).toEqual({})
})

test('the log-in page of the admin area is in the language of the browser', async ({ baseURL }) => {
  const ask = (language: string) => fetch(`${baseURL}/admin/sign-in`, { headers: { 'accept-language': language } })
  expect(await (await ask('pl, en;q=0.5')).text()).toContain('<html lang="pl"')
  expect(await (await ask('ja')).text()).toContain('<html lang="en"')
})
