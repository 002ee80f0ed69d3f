import { onEveryScreen } from './screens.ts'
import { cli } from './shop.ts'
import { buy } from './subscription.ts'
import { expect, test } from './test.ts'

for (const [locale, words] of Object.entries({
  de: { open: 'Vertrag widerrufen', confirm: 'Widerruf bestätigen', done: 'Ihr Widerruf ist eingegangen' },
  pl: {
    open: 'Odstąp od umowy',
    confirm: 'Potwierdź odstąpienie od umowy',
    done: 'Otrzymaliśmy oświadczenie o odstąpieniu',
  },
})) {
  test(`a consumer withdraws without JavaScript, in ${locale}`, async ({ browser, page, shop, shopUrl }) => {
    const subscription = await buy(page, shop, shopUrl, {
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
    await phone.locator('[name=email]').fill('ada@phone')
    await phone.getByRole('button', { name: words.open }).click()
    await expect(phone.locator('[name=email]')).toHaveValue('ada@phone')
    await expect(phone.locator('#email-error')).toContainText('@example.com')
    await phone.locator('[name=email]').fill('ada@phone.example')
    await phone.getByRole('button', { name: words.open }).click()
    await expect(phone.locator('blockquote')).toContainText('Pro')
    expect((await shop.api('GET', `/subscriptions/${subscription.id}`)).status).toBe('active')
    await phone.getByRole('button', { name: words.confirm }).click()
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText(words.done)
    expect((await shop.api('GET', `/subscriptions/${subscription.id}`)).status).toBe('canceled')
    expect((await emailed('withdrawal_received')).map(({ to }) => to).sort()).toEqual([
      'ada@example.com',
      'ada@phone.example',
    ])
    await context.close()
  })
}

test('the page of a withdrawal is whole and accessible in each state', async ({ browser, page, shop, shopUrl }) => {
  await buy(page, shop, shopUrl, {
    locale: 'de',
    buyer: { email: 'ada@example.com', country: 'DE', taxId: '' },
  })
  const emails: { kind: string; text: string }[] = await cli('email', 'list', '--storefront', shop.storefrontId)
  const receipt = emails.find(({ kind }) => kind === 'receipt')
  const [link = ''] = /http\S+\/withdrawal\/\S+/.exec(receipt?.text ?? '') ?? []
  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(link)
    await isWell()
    const isOpen = (await view.locator('[name=email]').count()) > 0
    if (!isOpen) return
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
