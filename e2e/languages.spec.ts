import { locales } from '../lib/kernel/locale.ts'
import { onEveryScreen, problemsOf } from './screens.ts'
import { aCheckout } from './shop.ts'
import { expect, fillBuyer, payButton, test } from './test.ts'

test('the checkout in German has no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
  await onEveryScreen(browser, async (page, isWell) => {
    await page.goto(checkout.url)
    await isWell()
    await fillBuyer(page, { email: '', country: 'FR' })
    await payButton(page).click()
    await expect(page.locator('#problems')).toBeVisible()
    await isWell()
  })
})

test('the checkout in every language has no layout problem, and on a desktop its pay button is visible before a country is chosen', async ({
  browser,
  shop,
  shopUrl,
}) => {
  await onEveryScreen(
    browser,
    async (page) => {
      for (const locale of locales) {
        const checkout = await aCheckout(shop, shopUrl, { locale })
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.goto(checkout.url)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expect(page.locator('[name=country]')).toHaveValue('')
        const button = await payButton(page).boundingBox()
        expect((button?.y ?? Number.NaN) + (button?.height ?? 0), locale).toBeLessThanOrEqual(800)
        expect(await problemsOf(page, 'layout'), locale).toEqual([])
        await fillBuyer(page, { email: '', country: 'FR' })
        await payButton(page).click()
        await expect(page.locator('#problems')).toBeVisible()
        expect(await problemsOf(page, 'layout'), locale).toEqual([])
      }
    },
    // The browser language Japanese suggests no country.
    { locale: 'ja' },
  )
})

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
