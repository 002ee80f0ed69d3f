import type { BrowserContext, Locator, Page } from '@playwright/test'
import { aCheckout, aPlan, cli, type Shop } from './shop.ts'
import { expect, test } from './test.ts'

/** Counts taps and swipes, but not typing. A swipe scrolls most of a screen. A tap requires a visible element. */
class Thumb {
  touches = 0
  swipes = 0

  constructor(private readonly page: Page) {}

  async touch(what: Locator): Promise<void> {
    await expect(what).toBeVisible()
    if (!(await this.isInReach(what))) await this.swipe()
    expect(await this.isInReach(what), `${what} is further than one swipe away`).toBe(true)
    this.touches++
    await what.tap()
  }

  private async swipe(): Promise<void> {
    this.swipes++
    await this.page.evaluate(() => scrollBy({ top: innerHeight * 0.85, behavior: 'instant' }))
  }

  private isInReach(what: Locator): Promise<boolean> {
    return what.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  }
}

interface ListedEmail {
  readonly kind: string
  readonly to: string
  readonly text: string
}

const emailsOf = async (shop: Shop, kind: string): Promise<ListedEmail[]> => {
  const emails: ListedEmail[] = await cli('email', 'list', '--storefront', shop.storefrontId)
  return emails.filter((email) => email.kind === kind)
}

async function linkIn(shop: Shop, kind: string, path: string): Promise<string> {
  await expect.poll(async () => (await emailsOf(shop, kind)).length).toBeGreaterThan(0)
  const [email] = await emailsOf(shop, kind)
  const [link] = new RegExp(`http\\S+${path}\\S+`).exec(email?.text ?? '') ?? []
  if (!link) throw new Error(`no ${path} in: ${email?.text}`)
  return link
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'pl-PL' }

test('a Polish-speaking buyer on a phone buys with at most five taps and one swipe, and cancels and resumes in the portal', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await buy(page, shop, shopUrl)

  const receipt = await linkIn(shop, 'receipt', '/portal/notice/')
  await page.goto(receipt)
  await page.locator('main button').tap()
  await page.waitForURL(/\/portal\/subscriptions\//)
  const address = page.url()
  await page.getByText('Zrezygnuj z subskrypcji').tap()
  await expect(page.locator('main')).toContainText('Można z niej korzystać do')
  await page.locator('button[name=intent][value=cancel]').tap()
  await expect(page.getByRole('status')).toHaveText('Przyjęliśmy rezygnację z subskrypcji.')
  const [subscription] = (await shop.api('GET', '/subscriptions')).data
  expect(subscription).toMatchObject({ status: 'on_grace_period', cancellationReason: 'customer_request' })
  await page.goto(address)
  await expect(page.getByText('Zrezygnuj z subskrypcji')).toHaveCount(0)
  await page.locator('button[name=intent][value=resume]').tap()
  await expect(page.getByRole('status')).toHaveText('Subskrypcja działa dalej.')

  const [order] = (await shop.api('GET', '/orders')).data
  await page.goto(new URL('/portal/invoices', address).href)
  await expect(page.locator('main')).toContainText(order.invoiceNumber)
  const href = await page.getByRole('link', { name: /^PDF/ }).first().getAttribute('href')
  const file = await page.request.get(new URL(href ?? '', address).href)
  expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-')
  await opensNothingWithoutConsent(await browser.newContext(phone), receipt, address)
  await context.close()
})

async function buy(page: Page, shop: Shop, shopUrl: string): Promise<void> {
  const id = await aPlan(shop)
  const checkout = await aCheckout(shop, shopUrl, { products: [{ id }], locale: null })
  const thumb = new Thumb(page)
  await page.goto(checkout.url)
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
  await expect(page.locator('[name=country]')).toHaveValue('PL')
  await thumb.touch(page.locator('[name=email]'))
  await page.keyboard.type('zofia@example.com')
  await thumb.touch(page.locator('[name=fullName]'))
  await page.keyboard.type('Zofia Kowalska')
  await thumb.touch(page.locator('button[type=submit]:not([name=intent])'))
  await page.waitForURL(/\/pay\//)
  const paid = page.locator('[name=outcome][value=paid]')
  if (!(await paid.isChecked())) await thumb.touch(paid.locator('xpath=ancestor::label'))
  await thumb.touch(page.locator('button[type=submit]'))
  await page.waitForURL(checkout.success)
  expect(thumb.touches).toBeLessThanOrEqual(5)
  expect(thumb.swipes).toBeLessThanOrEqual(1)
  const { orderId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  expect(await shop.api('GET', `/orders/${orderId}`)).toMatchObject({ status: 'paid', total: { value: '12.30' } })
}

/** A portal link that is only viewed, without a click, must not open a session in that browser. */
async function opensNothingWithoutConsent(context: BrowserContext, link: string, address: string): Promise<void> {
  const page = await context.newPage()
  expect((await page.goto(link))?.status()).toBe(200)
  await expect(page.locator('main')).not.toContainText('zofia@example.com')
  expect((await page.goto(address))?.status()).toBe(404)
  await expect(page.locator('main')).not.toContainText('Subskrypcja')
  await context.close()
}
