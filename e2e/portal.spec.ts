import type { Browser, Page } from '@playwright/test'
import { onEveryScreen } from './screens.ts'
import { cli, type Shop } from './shop.ts'
import { buy, cardExpires, lastOrder, pass } from './subscription.ts'
import { choose, expect, payButton, tabTo, test } from './test.ts'

const button = (page: Page, intent: string) => page.locator(`main button[name=intent][value=${intent}]`)

async function aLink(shop: Shop, customerId: string, returnUrl: string | null = null): Promise<string> {
  return (await shop.api('POST', `/customers/${customerId}/portal-sessions`, { returnUrl })).url
}

async function enter(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('main button').click()
  await page.waitForURL(/\/portal$/)
}

const aPhone = async (browser: Browser) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  return { context, phone: await context.newPage() }
}

test('a Polish-speaking buyer opens the portal by email, cancels, resumes, and downloads an invoice', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl, { locale: 'pl', buyer: { email: 'ada@example.com' } })
  const { context, phone } = await aPhone(browser)
  const { test: signIn } = await cli('portal', 'address', '--storefront', shop.storefrontId)
  await phone.goto(signIn)
  await phone.locator('[name=email]').fill('ada@example.com')
  await phone.locator('main button').click()
  await phone.waitForURL(/\?sent$/)
  const emailed = async (): Promise<{ to: string; text: string }[]> =>
    (await cli('email', 'list', '--storefront', shop.storefrontId)).filter(
      ({ kind }: { kind: string }) => kind === 'portal_link',
    )
  await expect.poll(async () => (await emailed()).length).toBe(1)
  const [email] = await emailed()
  expect(email?.to).toBe('ada@example.com')
  const [link] = /http\S+\/portal\/link\/\S+/.exec(email?.text ?? '') ?? []
  await enter(phone, link ?? '')
  await expect(phone.locator('html')).toHaveAttribute('lang', 'pl')

  await phone.getByRole('link', { name: 'Pro', exact: true }).click()
  await phone.getByText('Zrezygnuj z subskrypcji').click()
  await expect(phone.locator('main')).toContainText('Można z niej korzystać do')
  expect(await shop.api('GET', `/subscriptions/${subscription.id}`)).toMatchObject({ status: 'active' })
  await button(phone, 'cancel').click()
  await expect(phone.getByRole('status')).toHaveText('Przyjęliśmy rezygnację z subskrypcji.')
  expect(await shop.api('GET', `/subscriptions/${subscription.id}`)).toMatchObject({
    status: 'on_grace_period',
    cancellationReason: 'customer_request',
  })
  await button(phone, 'resume').click()
  await expect(phone.getByRole('status')).toHaveText('Subskrypcja działa dalej.')
  expect(await shop.api('GET', `/subscriptions/${subscription.id}`)).toMatchObject({ status: 'active' })

  await phone.goto(new URL('/portal/invoices', signIn).href)
  const href = await phone.getByRole('link', { name: /^PDF/ }).first().getAttribute('href')
  await expect(phone.getByRole('link', { name: /ZIP/ })).toHaveCount(0)
  for (const [path, type] of [
    [href ?? '', 'application/pdf'],
    ['/portal/invoices/zip', 'application/zip'],
  ] as const) {
    const file = await phone.request.get(new URL(path, signIn).href)
    expect([file.status(), file.headers()['content-type']]).toEqual([200, type])
  }
  await context.close()
})

test('the sign-in pages of the German portal have a cancellation link, which leads to the subscriptions after the sign-in', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl, { locale: 'de', buyer: { email: 'ada@example.com' } })
  const { test: signIn } = await cli('portal', 'address', '--storefront', shop.storefrontId)
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'de-DE' })
  const page = await context.newPage()
  for (const state of ['', '?sent', '?signed-out']) {
    await page.goto(`${signIn}${state}`)
    await expect(page.getByRole('link', { name: 'Verträge hier kündigen', exact: true })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Verträge hier kündigen' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verträge hier kündigen')
  await page.locator('[name=email]').fill('ada@example.com')
  await page.locator('main button').click()
  await page.waitForURL(/\?cancel&sent$/)
  const emailed = async (): Promise<{ kind: string; text: string }[]> =>
    (await cli('email', 'list', '--storefront', shop.storefrontId)).filter(
      ({ kind }: { kind: string }) => kind === 'portal_link',
    )
  await expect.poll(async () => (await emailed()).length).toBe(1)
  const [link] = /http\S+\/portal\/link\/\S+/.exec((await emailed())[0]?.text ?? '') ?? []
  await page.goto(link ?? '')
  await page.locator('main button').click()
  await page.waitForURL(/\/portal#subscriptions$/)
  await page.getByRole('link', { name: 'Pro', exact: true }).click()
  await page.getByText('Vertrag hier kündigen').click()
  await button(page, 'cancel').click()
  await expect(page.getByRole('status')).toBeVisible()
  expect(await shop.api('GET', `/subscriptions/${subscription.id}`)).toMatchObject({ status: 'on_grace_period' })
  await context.close()
})

test('a buyer cancels a subscription by keyboard', async ({ page, shop, shopUrl }) => {
  const subscription = await buy(shop, shopUrl, { locale: 'en' })
  await page.goto(await aLink(shop, subscription.customerId))
  await tabTo(page.getByRole('button', { name: 'Continue', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/portal$/)
  await tabTo(page.getByRole('link', { name: 'Pro', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/subscriptions\//)
  await tabTo(page.getByRole('link', { name: 'Cancel subscription', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/cancel$/)
  await tabTo(page.getByRole('button', { name: 'Cancel subscription', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Your subscription is canceled.')
  expect((await shop.api('GET', `/subscriptions/${subscription.id}`)).status).toBe('on_grace_period')
})

test('a buyer pays a past due amount in the portal with a new method, and returns to the portal', async ({
  page,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl, { locale: 'en' })
  const order = await cardExpires(shop, subscription)
  await enter(page, await aLink(shop, subscription.customerId))
  await page.getByRole('link', { name: 'Pro', exact: true }).click()
  await button(page, 'update').first().click()
  await page.waitForURL(/\/billing-update\//)
  await page.locator('[name=paymentMethod][value=creditcard]').check()
  await payButton(page).click()
  await choose(page, 'paid')
  await page.waitForURL(/\/portal\/subscriptions\/.*\?done=updated$/)
  await expect.poll(async () => (await shop.api('GET', `/orders/${order.id}`)).status).toBe('paid')
})

test('without JavaScript, a German-speaking buyer adds seats, removes seats, and undoes the removal', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl, { locale: 'de' })
  await cli('storefront', 'set', '--storefront', shop.storefrontId, '--portal-quantity', 'on')
  const now = () => shop.api('GET', `/subscriptions/${subscription.id}`)
  const page = `/portal/subscriptions/${subscription.id}`
  const { context, phone } = await aPhone(browser)
  const link = await aLink(shop, subscription.customerId)
  await enter(phone, link)
  await phone.goto(new URL(page, link).href)
  await phone.getByRole('link', { name: 'Menge ändern' }).click()
  const choose = async (quantity: string) => {
    await phone.getByLabel('Menge').fill(quantity)
    await phone.getByRole('button', { name: 'Preis und Datum anzeigen' }).click()
  }
  await choose('zwei')
  await expect(phone.locator('#quantity-error')).toContainText('999.999')
  await choose('3')
  expect((await now()).quantity).toBe(1)
  const pay = phone.getByRole('button', { name: /^Ändern und .+ zahlen$/ })
  const said = await pay.textContent()
  await pay.click()
  await expect(phone.getByRole('status')).toHaveText('Ihr Abonnement wurde geändert.')
  expect((await now()).quantity).toBe(3)
  const { total, status } = await lastOrder(shop)
  expect(said).toContain(`${total.value.replace('.', ',')}\u00a0€`)
  await expect.poll(async () => (await lastOrder(shop)).status, status).toBe('paid')

  await phone.getByRole('link', { name: 'Menge ändern' }).click()
  await choose('2')
  await expect(phone.locator('main')).toContainText('Jetzt wird nichts abgebucht.')
  await phone.getByRole('button', { name: 'Änderung vormerken' }).click()
  await expect(phone.getByRole('status')).toHaveText('Ihre Änderung ist vorgemerkt.')
  await expect(phone.locator('main')).toContainText('2 × Pro')
  expect(await now()).toMatchObject({ quantity: 3, scheduledUpdate: { quantity: 2 } })
  await button(phone, 'undo').click()
  await expect(phone.getByRole('status')).toHaveText('Die vorgemerkte Änderung wurde zurückgenommen.')
  expect(await now()).toMatchObject({ quantity: 3, scheduledUpdate: null })

  await onEveryScreen(browser, async (view, isWell) => {
    await enter(view, await aLink(shop, subscription.customerId))
    await view.goto(new URL(`${page}/change?quantity=5`, link).href)
    await isWell()
  })
  await cli('storefront', 'set', '--storefront', shop.storefrontId, '--portal-quantity', 'off')
  expect((await phone.goto(new URL(`${page}/change`, link).href))?.status()).toBe(404)
  await context.close()
})

test('without JavaScript, a German-speaking buyer changes the name and country of a subscription', async ({
  browser,
  shop,
  shopUrl,
}) => {
  const subscription = await buy(shop, shopUrl, { locale: 'de' })
  const { context, phone } = await aPhone(browser)
  await enter(phone, await aLink(shop, subscription.customerId))
  await phone.getByRole('link', { name: 'Name, Adresse oder USt-IdNr. ändern' }).click()
  await phone.locator('[name=fullName]').fill('')
  await phone.locator('[name=country]').selectOption('FR')
  await phone.getByRole('button', { name: 'Änderungen speichern' }).click()
  await expect(phone.locator('#problems')).toBeVisible()
  await expect(phone.locator('[name=country]')).toHaveValue('FR')
  await phone.locator('[name=fullName]').fill('Grace Hopper')
  await phone.getByRole('button', { name: 'Änderungen speichern' }).click()
  await expect(phone.getByRole('status')).toHaveText('Ihre Änderungen sind gespeichert.')
  expect((await shop.api('GET', `/subscriptions/${subscription.id}`)).billingAddress).toMatchObject({
    fullName: 'Grace Hopper',
    country: 'FR',
  })
  await context.close()
})

test('the portal opens the page that corrects an invoice', async ({ page, shop, shopUrl }) => {
  const subscription = await buy(shop, shopUrl, { locale: 'en' })
  await enter(page, await aLink(shop, subscription.customerId))
  await page.getByRole('button', { name: /^Correct the details on / }).click()
  await page.waitForURL(/\/invoice-update\//)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Correct the details on your invoice')
})

test('without JavaScript, a German-speaking buyer changes the email address', async ({ browser, shop, shopUrl }) => {
  const subscription = await buy(shop, shopUrl, { locale: 'de', buyer: { email: 'ada@old.example' } })
  const emailed = async (kind: string): Promise<{ to: string; text: string }[]> =>
    (await cli('email', 'list', '--storefront', shop.storefrontId)).filter(
      (each: { kind: string }) => each.kind === kind,
    )
  const { context, phone } = await aPhone(browser)
  await enter(phone, await aLink(shop, subscription.customerId))
  await phone.getByRole('link', { name: 'E-Mail-Adresse ändern' }).click()
  await phone.locator('[name=email]').fill('ada@new')
  await phone.locator('main form button').click()
  await expect(phone.locator('[name=email]')).toHaveValue('ada@new')
  await expect(phone.locator('#email-error')).toContainText('name@example.com')
  await phone.locator('[name=email]').fill('ada@new.example')
  await phone.locator('main form button').click()
  await expect(phone.locator('main')).toContainText('Ein Link an ada@new.example ist unterwegs.')
  await expect.poll(async () => (await emailed('email_change')).length).toBe(1)
  const [email] = await emailed('email_change')
  const [link = ''] = /http\S+\/portal\/email-change\/\S+/.exec(email?.text ?? '') ?? []
  await onEveryScreen(browser, async (view, isWell) => {
    await view.goto(link)
    await isWell()
  })
  await phone.goto(link)
  expect((await shop.api('GET', `/customers/${subscription.customerId}`)).email).toBe('ada@old.example')
  await phone.locator('main button').click()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Ihre E-Mail-Adresse ist geändert')
  expect((await shop.api('GET', `/customers/${subscription.customerId}`)).email).toBe('ada@new.example')
  expect((await emailed('email_changed')).map(({ to }) => to)).toEqual(['ada@old.example'])
  await phone.getByRole('link', { name: 'Zu meinen Käufen' }).click()
  await expect(phone.getByText('Angemeldet als')).toContainText('ada@new.example')
  await context.close()
})

test('a portal link can be used once within 15 minutes, and portal pages need a session', async ({
  browser,
  page,
  shop,
  shopUrl,
}) => {
  const { customerId } = await buy(shop, shopUrl, { locale: 'en' })
  const [used, expired] = [await aLink(shop, customerId, 'https://shop.example/account'), await aLink(shop, customerId)]
  await enter(page, used)
  await expect(page.getByRole('link', { name: /^Back to/ })).toHaveAttribute('href', 'https://shop.example/account')
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: '__Host-billhook-portal', httpOnly: true, secure: true, sameSite: 'Lax' })

  const { context, phone: stranger } = await aPhone(browser)
  expect((await stranger.goto(used))?.status()).toBe(410)
  expect((await stranger.goto(new URL('/portal', used).href))?.status()).toBe(404)
  await pass(shop, 'PT15M')
  expect((await stranger.goto(expired))?.status()).toBe(410)
  await expect(stranger.locator('main')).not.toContainText('ada@')
  await context.close()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\?signed-out$/)
  expect((await page.goto(new URL('/portal', used).href))?.status()).toBe(404)
})

test('the German portal has no layout or accessibility problem on a phone and on a desktop', async ({
  browser,
  shop,
  shopUrl,
}) => {
  // A long word without a hyphenation point.
  const name = 'Rechtsschutzversicherungsgesellschaftsverwaltungssoftwarepro'
  const subscription = await buy(shop, shopUrl, { locale: 'de', plan: { name } })
  await cardExpires(shop, subscription)
  await cli('storefront', 'set', '--storefront', shop.storefrontId, '--portal-quantity', 'on')
  const { test: signIn } = await cli('portal', 'address', '--storefront', shop.storefrontId)
  await onEveryScreen(
    browser,
    async (view, isWell) => {
      const link = await aLink(shop, subscription.customerId)
      await view.goto(link)
      await isWell()
      await enter(view, link)
      await isWell()
      for (const path of [
        'invoices',
        'email',
        'details',
        `subscriptions/${subscription.id}`,
        `subscriptions/${subscription.id}/change`,
        `subscriptions/${subscription.id}/cancel`,
      ]) {
        await view.goto(new URL(`/portal/${path}`, link).href)
        await isWell()
      }
      for (const url of [link, signIn, `${signIn}?sent`, `${signIn}?invalid`]) {
        await view.goto(url)
        await isWell()
      }
    },
    { mayComplain: /410/ },
  )
})
