import type { Page } from '@playwright/test'
import { onEveryScreen } from './screens.ts'
import { aCheckout } from './shop.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

const company = '.field-fold:has([name=taxId])'
const address = '.field-fold:has([name=city])'
const isFolded = (page: Page, fold = company) =>
  page.locator(fold).evaluate((details) => !(details as HTMLDetailsElement).open)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name') ?? null)
const isLive = (page: Page) => expect(page.locator('form[data-followed]')).toBeAttached()

/** Sends 40 empty forms. They count toward the rate limit and have no other effect. */
async function flood(page: Page, url: string): Promise<void> {
  const aForm = () => page.request.post(`${url}/submit`, { data: 'nothing', maxRedirects: 0 })
  const answers = await Promise.all(Array.from({ length: 40 }, aForm))
  expect(answers.map((answer) => answer.status())).toContain(429)
}

for (const javaScriptEnabled of [true, false]) {
  test(`a form keeps its input if the rate limit refuses it, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const checkout = await aCheckout(shop, shopUrl, { locale: 'pl' })
    await onEveryScreen(
      browser,
      async (page, isWell) => {
        // Retries until the rate limit refuses the form, because on a slow machine the requests may take longer than its time window.
        await expect(async () => {
          await page.goto(checkout.url)
          await fillBuyer(page, { fullName: 'Ada <b>"L"</b>', city: 'Łódź' })
          await flood(page, checkout.url)
          const sent = page.waitForResponse((response) => response.url().endsWith('/submit'))
          await payButton(page).click()
          const answer = await sent
          expect([answer.status(), answer.headers()['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
        }).toPass()
        await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
        await expect(page.locator('dl')).toContainText('Ada <b>"L"</b>')
        await expect(page.locator('dl')).toContainText('Łódź')
        if (javaScriptEnabled) await isWell()
        await expect(async () => {
          await page.locator('button[type=submit]').click()
          await page.waitForURL(/\/pay\//, { timeout: 1_000 })
        }).toPass()
      },
      { javaScriptEnabled, mayComplain: /429/ },
    )
    expect((await shop.api('GET', '/orders')).count).toBe(1)
  })
}

test('Tab skips fields in a closed section, Enter opens the section, and a section with a value stays open', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  await isLive(page)
  await page.locator('[name=fullName]').focus()
  await page.keyboard.press('Tab')
  await expect(page.locator(`${company} summary`)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator(`${address} summary`)).toBeFocused()
  await page.keyboard.press('Tab')
  expect([await focused(page), await isFolded(page), await isFolded(page, address)]).toEqual([
    'paymentMethod',
    true,
    true,
  ])
  await page.locator(`${company} summary`).focus()
  await page.keyboard.press('Enter')
  expect(await isFolded(page)).toBe(false)
  await expect(page.locator('[name=companyName]')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.locator('[name=companyName]')).toBeFocused()
  await page.keyboard.type('Engines')
  await page.locator('[name=email]').focus()
  expect(await isFolded(page)).toBe(false)
  await payButton(page).click()
  await expect(page.locator('#problems')).toBeVisible()
  expect(await isFolded(page)).toBe(false)
})

test('the fields of an opened section are in the Tab order immediately', async ({ page, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  await isLive(page)
  const tabIndexes = await page.locator(company).evaluate(async (fold) => {
    const summary = fold.querySelector('summary')
    const field = fold.querySelector<HTMLInputElement>('[name=companyName]')
    const seen = [field?.tabIndex]
    for (const _ of ['opened', 'closed']) {
      summary?.click()
      // Runs the microtasks that the click queued, but no later task.
      await Promise.resolve()
      seen.push(field?.tabIndex)
    }
    return seen
  })
  expect(tabIndexes).toEqual([-1, 0, -1])
})

test('a closed form section opens on autofill, and opens by keyboard if JavaScript is disabled', async ({
  browser,
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl)
  await page.goto(checkout.url)
  await isLive(page)
  await page.locator('[name=taxId]').fill('DE1')
  expect(await isFolded(page)).toBe(false)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(checkout.url)
  await expect(plain.locator('[name=companyName]')).toBeHidden()
  await plain.locator('[name=fullName]').focus()
  await plain.keyboard.press('Tab')
  await plain.keyboard.press('Enter')
  await plain.keyboard.press('Tab')
  await expect(plain.locator('[name=companyName]')).toBeFocused()
  expect((await plain.locator('[name=companyName]').boundingBox())?.height).toBeGreaterThan(40)
  await context.close()
})

test('the date of the next charge is in the time zone of the browser', async ({ browser, shop, shopUrl }) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  const sentenceIn = async (timezoneId: string) => {
    const context = await browser.newContext({ timezoneId })
    const page = await context.newPage()
    const answer = page.waitForResponse((response) => response.url().includes('/quote?'))
    await page.goto(checkout.url)
    const { renewal } = await (await answer).json()
    await expect(page.locator('[data-text="renewal.sentence"]').first()).toHaveText(renewal.sentence)
    await context.close()
    return renewal.sentence
  }
  // The two time zones are 25 hours apart, so their dates always differ.
  expect(await sentenceIn('Pacific/Kiritimati')).not.toBe(await sentenceIn('Pacific/Midway'))
})

test('the hint on an entered tax ID says whether tax applies and is announced, and the pay button shows the matching total', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  await isLive(page)
  for (const [country, taxId, words, total] of [
    ['NL', 'NL1', 'same country, so tax applies', '€48.39'],
    ['DE', 'DE1', 'You account for the tax yourself', '€39.99'],
    ['DE', 'NL1', 'could not confirm this number, so tax applies', '€47.59'],
  ] as const) {
    await fillBuyer(page, { country, taxId })
    await expect(page.locator('#taxId-hint')).toContainText(words)
    // A screen reader announces the text of this element.
    await expect(page.locator('[data-announced]')).toContainText(words)
    await expect(payButton(page)).toContainText(total)
    await expect(page.locator('#address-hint')).toContainText(taxId === 'DE1' ? 'reverse charge' : 'Optional')
  }
})

test('the address section opens for a country whose tax depends on the address, and stays open afterward', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  await isLive(page)
  await page.locator('[name=country]').selectOption('CA')
  await expect.poll(() => isFolded(page, address)).toBe(false)
  await page.locator('[name=region]').fill('Quebec')
  await fillBuyer(page, { country: 'FR', postalCode: 'x'.repeat(30) })
  await payButton(page).click()
  await expect(page.locator('#problems')).toBeVisible()
  await expect(page.locator('[name=region]')).toHaveValue('Quebec')
  await page.locator(`${address} summary`).click()
  await page.locator('#problems a').click()
  await expect(page.locator('[name=postalCode]')).toBeFocused()
  expect(await isFolded(page, address)).toBe(false)
})

test('the tax ID field is always visible for a preset EU country, and is otherwise collapsed until the buyer chooses an EU country', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en', billingAddress: { country: 'PL' } })
  await page.goto(checkout.url)
  await expect(page.locator('details:has([name=taxId])')).toHaveCount(0)
  const abroad = await aCheckout(shop, shopUrl, { locale: 'en', billingAddress: { country: 'US' } })
  await page.goto(abroad.url)
  await isLive(page)
  const fold = page.locator('details:has([name=taxId])')
  await expect(fold).not.toHaveAttribute('open')
  await page.locator('[name=country]').selectOption('PL')
  await expect(fold).toHaveAttribute('open')
  await expect(page.locator('#taxId-hint')).toHaveText('Optional, for companies, like PL1234567890.')
})

test('a postal code must have the format of its country, and the field is hidden for countries without postal codes', async ({
  page,
  shop,
  shopUrl,
}) => {
  await page.goto((await aCheckout(shop, shopUrl, { locale: 'en' })).url)
  await isLive(page)
  await fillBuyer(page, { country: 'NL', city: 'Delft', postalCode: '1015' })
  await payButton(page).click()
  await expect(page.locator('#problems a')).toHaveText('Enter a postal code like 1015 CS')
  await isLive(page)
  await page.locator('[name=postalCode]').fill('')
  await page.locator('[name=country]').selectOption('HK')
  await expect(page.locator('[name=postalCode]')).toBeHidden()
  await page.locator('[name=country]').selectOption('NL')
  await expect(page.locator('[name=postalCode]')).toBeVisible()
  await page.locator('[name=taxId]').fill('NL1234')
  await expect(page.locator('#taxId-hint')).toContainText('same country')
  await page.locator('[name=taxId]').fill('BE0123456789')
  await expect(page.locator('#taxId-hint')).toContainText('looks like NL123456789B01')
})

test('the payment methods depend on the country, and the chosen method stays selected while available', async ({
  browser,
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  const chosen = (of: Page) => of.locator('[name=paymentMethod]:checked').getAttribute('value')
  const first = (of: Page) => of.locator('[name=paymentMethod]').first().getAttribute('value')
  await page.goto(checkout.url)
  await isLive(page)
  expect(await chosen(page)).toBe('creditcard')
  await page.locator('[name=country]').selectOption('NL')
  await expect.poll(() => first(page)).toBe('ideal')
  expect(await chosen(page)).toBe('creditcard')
  await page.locator('[name=paymentMethod][value=ideal]').check()
  await page.locator('[name=country]').selectOption('DE')
  await expect.poll(() => first(page)).toBe('paypal')
  await expect(page.locator('[name=paymentMethod][value=ideal]')).toBeHidden()
  await expect(page.locator('[name=paymentMethod][value=ideal]')).toBeDisabled()
  expect(await chosen(page)).toBe('paypal')

  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'nl-NL' })
  const plain = await context.newPage()
  await plain.goto(checkout.url)
  expect(await chosen(plain)).toBe('ideal')
  await plain.locator('[name=country]').selectOption('DE')
  await plain.locator('[name=fullName]').fill('Ada Lovelace')
  await payButton(plain).click()
  await expect(plain.locator('#problems')).toBeVisible()
  await expect(plain.locator('[name=paymentMethod][value=paypal]')).toBeVisible()
  expect(await chosen(plain)).toBe('ideal')
  await plain.locator('[name=email]').fill('ada@example.com')
  await payButton(plain).click()
  await choose(plain, 'paid')
  await plain.waitForURL(checkout.success)
  await context.close()
})

test('the pay button is visible on a desktop without scrolling, and on a phone after one swipe', async ({
  page,
  shop,
  shopUrl,
}) => {
  // These cases cover the longest texts, a country without tax IDs, and countries with a second currency.
  for (const [locale, country, matters] of [
    ['de', 'DE', 'taxId'],
    ['es', 'DE', 'taxId'],
    ['pt', 'CA', 'postalCode'],
    ['pl', 'PL', 'taxId'],
    ['de', 'SE', 'taxId'],
    ['fr', 'DK', 'taxId'],
  ] as const) {
    const checkout = await aCheckout(shop, shopUrl, { locale, billingAddress: { country } })
    await page.goto(checkout.url)
    for (const { width, height, swipe } of [
      { width: 390, height: 844, swipe: 0.65 },
      { width: 1280, height: 800, swipe: 0 },
    ]) {
      await page.setViewportSize({ width, height })
      await expect(page.locator(`[name=${matters}]`)).toBeInViewport()
      const button = await payButton(page).boundingBox()
      const end = (button?.y ?? Number.NaN) + (button?.height ?? 0)
      expect(end, `${locale}, ${country}, ${width} px`).toBeLessThanOrEqual(height * (1 + swipe))
    }
  }
})

test('remarks on payment methods stay hidden until a country is chosen', async ({ browser, shop, shopUrl }) => {
  // The browser language `ja` has no region, so the form preselects no country.
  const context = await browser.newContext({ locale: 'ja' })
  const page = await context.newPage()
  await page.goto((await aCheckout(shop, shopUrl)).url)
  const remark = page.locator('#method-directdebit-remark')
  await expect(remark).toBeHidden()
  await page.locator('[name=country]').selectOption('DE')
  await expect(remark).toBeVisible()
  await context.close()
})

for (const [language, country, checks] of [
  ['sv-SE', 'SE', 'layout'],
  ['fi-FI', 'FI', 'layout'],
  ['ja', '', 'all'],
] as const) {
  test(`the checkout preselects ${country || 'no country'} in a browser with the language ${language}`, async ({
    browser,
    shop,
    shopUrl,
  }) => {
    const checkout = await aCheckout(shop, shopUrl, { locale: 'de' })
    await onEveryScreen(
      browser,
      async (page, isWell) => {
        await page.goto(checkout.url)
        await expect(page.locator('[name=country]')).toHaveValue(country)
        await isWell()
        if (country === '') {
          await expect(page.locator('[name=country] option').first()).toHaveText('Wählen Sie Ihr Land')
          await expect(payButton(page)).not.toContainText('€')
          await isLive(page)
          await fillBuyer(page, { country: 'AT' })
          await expect(payButton(page)).toContainText('47,99')
          await isWell()
        }
      },
      { locale: language, checks },
    )
  })
}

test('without JavaScript, the checkout asks for a missing country, and the buyer can then pay', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'ja' })
  const page = await context.newPage()
  await page.goto(checkout.url)
  await fillBuyer(page, { country: '' })
  await payButton(page).click()
  await expect(page.locator('#problems')).toContainText('Choose your country')
  await page.locator('[name=country]').selectOption('AT')
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  await context.close()
})

test('the checkout asks an EU consumer for consent to an immediate start, and states the consent after the payment', async ({
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'en' })
  await page.goto(checkout.url)
  await isLive(page)
  const consent = page.locator('[name=beginAtOnce]')
  await fillBuyer(page, { country: 'CH' })
  await expect(consent).toBeHidden()
  await page.locator('[name=country]').selectOption('NL')
  await expect(consent).toBeVisible()
  await expect(consent).not.toBeChecked()
  await consent.check()
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  await page.goto(checkout.url)
  await expect(page.locator('dl')).toContainText('You asked for it to start at once')
})
