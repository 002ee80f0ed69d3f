import { locales } from '../lib/kernel/locale.ts'
import { onEveryScreen } from './screens.ts'
import { aCheckout } from './shop.ts'
import { expect, fillBuyer, payButton, test } from './test.ts'

for (const locale of locales) {
  test(`the checkout in ${locale} is whole and accessible on a phone and on a desk`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const checkout = await aCheckout(shop, shopUrl, { locale })
    await onEveryScreen(browser, async (page, isWell) => {
      await page.goto(checkout.url)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      await isWell()
      await fillBuyer(page, { email: '', country: 'FR' })
      await payButton(page).click()
      await expect(page.locator('#problems')).toBeVisible()
      await isWell()
    })
  })
}
