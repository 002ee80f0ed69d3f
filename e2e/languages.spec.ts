import AxeBuilder from '@axe-core/playwright'
import { locales } from '../lib/kernel/locale.ts'
import { aCheckout } from './shop.ts'
import { expect, fillBuyer, payButton, test } from './test.ts'

for (const locale of locales) {
  test(`the checkout in ${locale} is whole and accessible on a phone and on a desk`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const checkout = await aCheckout(shop, shopUrl, { locale })
    for (const width of [390, 1280]) {
      const context = await browser.newContext({ viewport: { width, height: 900 } })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(checkout.url)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wide).toBe(0)
      await fillBuyer(page, { email: '', country: 'FR' })
      await payButton(page).click()
      await expect(page.locator('#problems')).toBeVisible()
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    }
  })
}
