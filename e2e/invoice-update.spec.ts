import { onEveryScreen } from './screens.ts'
import { cli, type Shop } from './shop.ts'
import { buy, lastOrder, pass } from './subscription.ts'
import { expect, payButton, tabTo, test } from './test.ts'

async function aLink(shop: Shop, orderId: string): Promise<string> {
  const { href, type } = await shop.api('POST', `/orders/${orderId}/invoice-update-link`)
  expect(type).toBe('text/html')
  return href
}

async function aSale(shop: Shop, shopUrl: string, locale: string) {
  const subscription = await buy(shop, shopUrl, { locale, buyer: { companyName: '', taxId: '' } })
  return { subscription, order: await lastOrder(shop) }
}

test('without JavaScript, an invoice is corrected in German, and both versions stay available', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const { subscription, order } = await aSale(shop, shopUrl, 'de')
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  const phone = await context.newPage()
  const link = await aLink(shop, order.id)
  await phone.goto(link)
  await expect(phone.locator('html')).toHaveAttribute('lang', 'de')
  await expect(phone.locator('main')).toContainText(`Rechnung ${order.invoiceNumber}`)
  await expect(phone.locator('main')).toContainText('11,90')
  await expect(phone.locator('[name=useForLaterOrders]')).not.toBeChecked()
  await expect(phone.locator('[name=country]')).toHaveValue('DE')

  await phone.locator('[name=fullName]').fill('')
  await phone.locator('[name=companyName]').fill('Lovelace & Töchter GmbH')
  await phone.locator('[name=taxId]').fill('NL123')
  await payButton(phone).click()
  await expect(phone.locator('#problems')).toBeFocused()
  await expect(phone.locator('#problems a')).toHaveCount(2)
  await expect(phone.locator('#taxId-error')).toContainText('die mit DE beginnt')
  await expect(phone.locator('[name=companyName]')).toHaveValue('Lovelace & Töchter GmbH')
  await expect(phone.locator('[name=taxId]')).toHaveValue('NL123')
  await phone.locator('#problems a[href="#fullName"]').click()
  await expect(phone.locator('[name=fullName]')).toBeFocused()
  await phone.locator('[name=fullName]').fill('Ada Lovelace')
  await phone.locator('[name=taxId]').fill('')
  await payButton(phone).click()
  await expect(phone.locator('h1')).toHaveText('Gespeichert')

  await phone.locator('main a').first().click()
  await phone.waitForURL(/\/invoices\//)
  for (const words of [order.invoiceNumber, 'Lovelace & Töchter GmbH', 'Berichtigt am', '11,90'])
    await expect(phone.locator('main')).toContainText(words)
  await context.close()

  const { customerDetails, total, invoiceNumber } = await shop.api('GET', `/orders/${order.id}`)
  expect({ total, invoiceNumber }).toEqual({ total: order.total, invoiceNumber: order.invoiceNumber })
  expect(customerDetails).toEqual({
    ...order.customerDetails,
    companyName: 'Lovelace & Töchter GmbH',
  })
  expect(await shop.api('GET', `/subscriptions/${subscription.id}`)).toEqual(subscription)
  expect(await cli('invoice', 'versions', '--order', order.id)).toMatchObject([
    { version: 1, current: false, companyName: null, taxId: null },
    { version: 2, current: true, companyName: 'Lovelace & Töchter GmbH', taxId: null },
  ])
})

test('adding a valid tax ID after the sale refunds the tax with a credit note and a new invoice', async ({
  page,
  shop,
  shopUrl,
}) => {
  const { order } = await aSale(shop, shopUrl, 'de')
  await page.goto(await aLink(shop, order.id))
  await page.locator('[name=taxId]').fill('DE123')
  await payButton(page).click()
  await expect(page.locator('h1')).toHaveText('Gespeichert')
  await page.locator('main a').first().click()
  await page.waitForURL(/\/invoices\//)
  for (const words of [`Ersetzt die Rechnung${order.invoiceNumber}`, 'DE123', 'Steuerschuldnerschaft', '10,00'])
    await expect(page.locator('main')).toContainText(words)
  const { data } = await shop.api('GET', `/orders/${order.id}/refunds`)
  expect(data).toMatchObject([{ subtotal: { value: '0.00' }, total: { value: '1.90' } }])
})

test('by keyboard, an invoice is corrected in Polish, and later orders use the new details', async ({
  page,
  shop,
  shopUrl,
}) => {
  const { subscription, order } = await aSale(shop, shopUrl, 'pl')
  await page.goto(await aLink(shop, order.id))
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
  await tabTo(page.locator('[name=streetAndNumber]'))
  await page.keyboard.type('ul. Długa 1')
  await tabTo(page.locator('[name=city]'))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Łódź')
  await tabTo(page.locator('[name=companyName]'))
  await page.keyboard.type('Żółć sp. z o.o.')
  await tabTo(page.locator('[name=taxId]'))
  await page.keyboard.type('PL1')
  await page.keyboard.press('Enter')
  await expect(page.locator('#problems')).toBeFocused()
  // Waits for the whole page, because the section can receive the focus before its links are parsed.
  await page.waitForLoadState()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('[name=taxId]')).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await tabTo(page.locator('[name=useForLaterOrders]'))
  await page.keyboard.press('Space')
  await expect(page.locator('[name=useForLaterOrders]')).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('h1')).toHaveText('Zapisano')

  const details = { streetAndNumber: 'ul. Długa 1', city: 'Łódź', companyName: 'Żółć sp. z o.o.', taxId: null }
  expect((await shop.api('GET', `/orders/${order.id}`)).customerDetails).toMatchObject({ ...details, country: 'DE' })
  const { billingAddress } = await shop.api('GET', `/subscriptions/${subscription.id}`)
  expect(billingAddress).toEqual({ ...subscription.billingAddress, ...details })
})

test('an invoice is corrected once despite two clicks, two tabs, and the back button, and the link expires after a day', async ({
  page,
  context,
  shop,
  shopUrl,
}) => {
  const { order } = await aSale(shop, shopUrl, 'en')
  const link = await aLink(shop, order.id)
  const other = await context.newPage()
  await Promise.all([page.goto(link), other.goto(link)])
  await Promise.all([page, other].map((tab) => tab.locator('[name=city]').fill('Bonn')))
  await Promise.all([payButton(page).dblclick(), payButton(other).click()])
  for (const tab of [page, other]) await expect(tab.locator('h1')).toHaveText('Saved')
  const cities = async () =>
    (await cli('invoice', 'versions', '--order', order.id)).map(({ city }: { city: string }) => city)
  expect(await cities()).toEqual(['Berlin', 'Bonn'])

  await page.getByText('Change the details again').click()
  await expect(page.locator('[name=city]')).toHaveValue('Bonn')
  await page.locator('[name=city]').fill('Ulm')
  await payButton(page).click()
  await expect(page.locator('h1')).toHaveText('Saved')
  expect(await cities()).toEqual(['Berlin', 'Bonn', 'Ulm'])
  await page.goBack()
  await expect(page.locator('form')).toBeVisible()

  await pass(shop, 'PT24H')
  await payButton(page).click()
  await expect(page.locator('h1')).toHaveText('This link has expired')
  expect((await page.goto(link))?.status()).toBe(410)
  await expect(page.locator('form')).toHaveCount(0)
  expect((await page.goto(`${link}x`))?.status()).toBe(404)
  expect(await cities()).toEqual(['Berlin', 'Bonn', 'Ulm'])
})

test('the German invoice page has no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const { order } = await aSale(shop, shopUrl, 'de')
  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(await aLink(shop, order.id))
    await isWell()
    await view.locator('[name=fullName]').fill('')
    await view.locator('[name=taxId]').fill('X')
    await payButton(view).click()
    await expect(view.locator('#problems')).toBeVisible()
    await isWell()
    await view.locator('[name=fullName]').fill('Ada')
    await view.locator('[name=taxId]').fill('')
    await payButton(view).click()
    await view.waitForURL(/\?saved$/)
    await expect(view.locator('main')).toBeVisible()
    await expect(view.locator('form')).toHaveCount(0)
    await isWell()
  })
})
