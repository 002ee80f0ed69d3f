import { onEveryScreen } from './screens.ts'
import { aCheckout, cli } from './shop.ts'
import { buy } from './subscription.ts'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

for (const [locale, words] of Object.entries({
  de: { open: 'Vertrag widerrufen', confirm: 'Widerruf bestätigen', done: 'Ihr Widerruf ist eingegangen' },
  pl: {
    open: 'Odstąp od umowy',
    confirm: 'Potwierdź odstąpienie od umowy',
    done: 'Otrzymaliśmy oświadczenie o odstąpieniu',
  },
})) {
  test(`without JavaScript, a consumer withdraws from a purchase in ${locale}`, async ({ browser, shop, shopUrl }) => {
    const subscription = await buy(shop, shopUrl, {
      locale,
      buyer: { email: 'ada@example.com', country: locale.toUpperCase(), taxId: '' },
    })
    const emailed = async (kind: string): Promise<{ to: string; text: string }[]> =>
      (await cli('email', 'list', '--storefront', shop.storefrontId)).filter(
        (each: { kind: string }) => each.kind === kind,
      )
    const [receipt] = await emailed('receipt')
    const [link = ''] = /http\S+\/withdrawal\/\S+/.exec(receipt?.text ?? '') ?? []
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    const phone = await context.newPage()
    await phone.goto(link)
    await phone.locator('[name=name]').fill('\u200b')
    await phone.getByRole('button', { name: words.open }).click()
    await expect(phone.locator('#name-error')).toBeVisible()
    await phone.locator('[name=name]').fill('Ada Lovelace')
    await expect(phone.getByText('a***@e***.com')).toBeVisible()
    await phone.getByRole('button', { name: words.open }).click()
    await expect(phone.locator('blockquote')).toContainText('Pro')
    expect((await shop.api('GET', `/subscriptions/${subscription.id}`)).status).toBe('active')
    await phone.getByRole('button', { name: words.confirm }).click()
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText(words.done)
    expect((await shop.api('GET', `/subscriptions/${subscription.id}`)).status).toBe('canceled')
    expect((await emailed('withdrawal_received')).map(({ to }) => to)).toEqual(['ada@example.com'])
    await context.close()
  })
}

test('every state of the withdrawal page has no layout or accessibility problem', async ({
  browser,
  shop,
  shopUrl,
}) => {
  await buy(shop, shopUrl, {
    locale: 'de',
    buyer: { email: 'ada@example.com', country: 'DE', taxId: '' },
  })
  const emails: { kind: string; text: string }[] = await cli('email', 'list', '--storefront', shop.storefrontId)
  const receipt = emails.find(({ kind }) => kind === 'receipt')
  const [link = ''] = /http\S+\/withdrawal\/\S+/.exec(receipt?.text ?? '') ?? []
  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(link)
    await isWell()
    await view.locator('[name=name]').fill('\u200b')
    await view.locator('main button').click()
    await view.waitForURL(/#problems$/)
    await isWell()
    await view.locator('[name=name]').fill('Ada Lovelace')
    await view.locator('main button').click()
    await expect(view.locator('blockquote')).toBeVisible()
    await isWell()
    await view.locator('main button').click()
    await expect(view.locator('blockquote')).toHaveCount(0)
    await isWell()
  })
})

test('without JavaScript, a consumer withdraws from one of two items, and later from the other item', async ({
  browser,
  page,
  shop,
  shopUrl,
}) => {
  const checkout = await aCheckout(shop, shopUrl, { locale: 'pl' })
  await page.goto(checkout.url)
  await fillBuyer(page, { country: 'PL' })
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(checkout.success)
  await page.goto(checkout.url)
  const link = await page.locator('a[href*="/withdrawal/"]').getAttribute('href')
  const { customerId } = await shop.api('GET', `/checkouts/${checkout.id}`)
  const statusOfPro = async () => (await shop.api('GET', `/customers/${customerId}/subscriptions`)).data[0].status
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await phone.goto(new URL(link ?? '', checkout.url).href)
  const [pro, handbook] = [phone.getByLabel('Pro'), phone.getByLabel('Handbook')]
  await expect(pro).toBeChecked()
  for (const box of [pro, handbook]) await box.uncheck()
  await phone.getByRole('button', { name: 'Odstąp od umowy' }).click()
  await expect(phone.locator('#lines-error')).toHaveText('Proszę wybrać co najmniej jedną pozycję')
  await expect(pro).not.toBeChecked()
  await handbook.check()
  await phone.getByRole('button', { name: 'Odstąp od umowy' }).click()
  await expect(phone.locator('blockquote')).toContainText('Handbook')
  await expect(phone.locator('blockquote')).not.toContainText('Pro')
  await phone.getByRole('button', { name: 'Potwierdź odstąpienie od umowy' }).click()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Otrzymaliśmy oświadczenie o odstąpieniu')
  expect(await statusOfPro()).toBe('active')

  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(phone.url())
    await isWell()
    await view.locator('summary', { hasText: 'Odstąp od kolejnej pozycji' }).click()
    await isWell()
  })
  await phone.locator('summary', { hasText: 'Odstąp od kolejnej pozycji' }).click()
  await expect(phone.locator('form')).toContainText('Pro')
  await phone.getByRole('button', { name: 'Odstąp od umowy' }).click()
  await phone.getByRole('button', { name: 'Potwierdź odstąpienie od umowy' }).click()
  await expect(phone.locator('summary')).toHaveCount(0)
  expect(await statusOfPro()).toBe('canceled')
  const received = (await cli('email', 'list', '--storefront', shop.storefrontId)).filter(
    ({ kind }: { kind: string }) => kind === 'withdrawal_received',
  )
  expect(received).toHaveLength(2)
  await context.close()
})

test('without JavaScript, a consumer withdraws from one of three seats and keeps two seats', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const buyer = { email: 'ada@example.com', country: 'DE', taxId: '' }
  const { id } = await buy(shop, shopUrl, { item: { quantity: 3 }, locale: 'de', buyer })
  const emails: { kind: string; text: string }[] = await cli('email', 'list', '--storefront', shop.storefrontId)
  const receipt = emails.find(({ kind }) => kind === 'receipt')
  const [link = ''] = /http\S+\/withdrawal\/\S+/.exec(receipt?.text ?? '') ?? []
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await phone.goto(link)
  const seats = phone.getByLabel('Pro: Wie viele von 3?')
  await expect(seats).toHaveValue('3')
  await seats.fill('4')
  await phone.getByRole('button', { name: 'Vertrag widerrufen' }).click()
  await expect(seats).toHaveAttribute('aria-invalid', 'true')
  await expect(seats).toHaveValue('4')
  await expect(phone.locator('#problems')).toBeFocused()
  await phone.getByRole('link', { name: 'Geben Sie eine Zahl von 1 bis 3 ein' }).click()
  await expect(seats).toBeFocused()
  await seats.fill('1')
  await phone.getByRole('button', { name: 'Vertrag widerrufen' }).click()
  await expect(phone.locator('blockquote')).toContainText('1 von 3 × Pro')
  await phone.getByRole('button', { name: 'Widerruf bestätigen' }).click()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Ihr Widerruf ist eingegangen')
  expect(await shop.api('GET', `/subscriptions/${id}`)).toMatchObject({ status: 'active', quantity: 2 })
  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(phone.url())
    await view.locator('summary').click()
    await isWell()
  })
  await context.close()
})
