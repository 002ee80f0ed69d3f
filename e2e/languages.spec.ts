import { locales } from '../lib/kernel/locale.ts'
import { checksIn, onEveryScreen, problems } from './screens.ts'
import { aCheckout } from './shop.ts'
import { expect, fillBuyer, payButton, test } from './test.ts'

for (const locale of locales) {
  test(`the checkout in ${locale} has no ${problems(locale)} problem on a phone and on a desktop`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const checkout = await aCheckout(shop, shopUrl, { locale })
    await onEveryScreen(
      browser,
      async (page, isWell) => {
        await page.goto(checkout.url)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await isWell()
        await fillBuyer(page, { email: '', country: 'FR' })
        await payButton(page).click()
        await expect(page.locator('#problems')).toBeVisible()
        await isWell()
      },
      { checks: checksIn(locale) },
    )
  })
}

test('on a desktop, the currency field of the checkout is wide enough for the name of the chosen currency', async ({
  page,
  shop,
  shopUrl,
}) => {
  for (const [locale, country, currency] of [
    ['de', 'CH', 'CHF'],
    ['es', 'US', 'USD'],
    ['en', 'GB', 'GBP'],
  ] as const) {
    const checkout = await aCheckout(shop, shopUrl, { locale, billingAddress: { country } })
    await page.goto(checkout.url)
    const select = page.locator('[name=currency]')
    await select.selectOption(currency)
    for (const width of [900, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const [room, needed] = await select.evaluate((element: HTMLSelectElement) => {
        const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(element)
        const pen = document.createElement('canvas').getContext('2d')
        if (!pen) throw new Error('No canvas')
        pen.font = `${fontSize} ${fontFamily}`
        const { width: text } = pen.measureText(element.selectedOptions[0]?.text ?? '')
        return [element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight), text]
      })
      expect(room, `${locale}, ${currency}, ${width} px`).toBeGreaterThanOrEqual(needed)
    }
  }
})
