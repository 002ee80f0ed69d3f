import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { MerchantServer } from './receiver.ts'
import { aShop, type Shop } from './shop.ts'

export const test = base.extend<{ shop: Shop; merchant: MerchantServer; shopUrl: string }>({
  shop: async ({ baseURL }, use) => {
    if (!baseURL) throw new Error('E2E_BASE_URL is not set: `npm run test:e2e` starts a service and sets it.')
    await use(await aShop(baseURL))
  },
  merchant: async ({ browserName: _ }, use) => {
    const server = new MerchantServer('whsec_a secret of the merchant')
    await use(server)
    await server.stop()
  },
  shopUrl: async ({ merchant }, use) => use(await merchant.start()),
})

export { expect }

export const payButton = (page: Page): Locator => page.locator('button[type=submit]:not([name=intent])')

export const theBuyer = {
  email: 'ada@example.com',
  country: 'DE',
  fullName: 'Ada Lovelace',
  paymentMethod: 'creditcard',
}

export async function fillBuyer(page: Page, differences: Record<string, string> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...theBuyer, ...differences })) {
    const field = page.locator(`[name=${name}]`)
    if (name === 'paymentMethod') await page.locator(`[name=paymentMethod][value=${value}]`).check()
    else if (name === 'country' || name === 'currency') await field.selectOption(value)
    else {
      // Without JavaScript, fields in a closed section are hidden.
      if (!(await field.isVisible())) await page.locator('details', { has: field }).locator('summary').click()
      await field.fill(value)
    }
  }
}

export async function choose(
  page: Page,
  outcome: string,
  { failureReason }: { failureReason?: string } = {},
): Promise<void> {
  await page.waitForURL(/\/pay\//)
  await page.locator(`[name=outcome][value=${outcome}]`).check()
  if (failureReason) await page.locator('[name=failureReason]').selectOption(failureReason)
  await page.locator('button[type=submit]').click()
}

/** Presses Tab until `target` has the focus. Waits until the page has loaded, because a loading page may move the focus. */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  await page.waitForLoadState()
  const focused = target.and(page.locator(':focus'))
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) > 0) return
  }
  throw new Error(`${target} cannot be reached by Tab`)
}
