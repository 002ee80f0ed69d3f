import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createBillhook } from '../packages/sdk/src/index.ts'
import { freePort } from '../scripts/embedded-postgres.mjs'
import { choose, expect, fillBuyer, payButton, test } from './test.ts'

const run = promisify(execFile)
const folder = path.resolve('examples/saas-nextjs')
const next = path.resolve('node_modules/next/dist/bin/next')
const work = mkdtempSync(path.join(os.tmpdir(), 'billhook-saas-'))
const secret = 'whsec_of_the_saas_example'
let program: ChildProcess | undefined

test.beforeAll(async () => {
  test.setTimeout(900_000)
  await run(process.execPath, ['packages/sdk/scripts/build.mjs'])
  // Builds with Webpack, because Turbopack takes the folder with the lock file as its root and would include the
  // service's `proxy.ts` from this folder.
  await run(process.execPath, [next, 'build', '--webpack'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
})
test.afterAll(() => {
  program?.kill()
  rmSync(work, { recursive: true, force: true })
})

async function start(port: number, environment: Record<string, string>): Promise<void> {
  program = spawn(process.execPath, [next, 'start', '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve, reject) => {
    program?.stdout?.on('data', (text) => /Ready/.test(String(text)) && resolve(undefined))
    program?.once('exit', () => reject(new Error('the example did not start')))
  })
}

test('the SaaS example sells a subscription, changes seats, shows a debt, and passes year.test.mjs', async ({
  page,
  shop,
  baseURL,
  browser,
}) => {
  test.setTimeout(900_000)
  const billhook = createBillhook({ baseUrl: baseURL, apiKey: shop.testKey })
  const plan = await billhook.createSubscriptionPlan({
    name: 'Team',
    description: 'One seat of Lumen',
    productType: 'saas',
    basePrice: { value: '10.00', currency: 'EUR' },
    interval: 'month',
    intervalCount: 1,
  })
  const link = await billhook.createPaymentLink({
    name: 'Pricing page',
    items: [{ id: plan.id, quantity: 3 }],
    redirectUrlSuccess: 'https://shop.example/thanks',
  })
  const port = await freePort()
  const shopUrl = `http://localhost:${port}`
  const variables = { BILLHOOK_URL: baseURL ?? '', BILLHOOK_KEY: shop.testKey }
  await start(port, {
    ...variables,
    WEBHOOK_SECRET: secret,
    PLAN_ID: plan.id,
    PAYMENT_LINK_ID: link.id,
    SHOP_URL: shopUrl,
    STORE_FILE: path.join(work, 'store.json'),
  })
  await billhook.createWebhookEndpoint({ url: `${shopUrl}/webhooks`, secret })
  const account = () => page.goto(`${shopUrl}/account`)

  await test.step('the pricing page shows the tax of the chosen country', async () => {
    await page.goto(shopUrl)
    await expect(page.getByRole('row', { name: 'VAT 19 %' })).toContainText('€5.70')
    await page.getByLabel('Country').selectOption('FR')
    await page.getByLabel('Seats').fill('4')
    await page.getByRole('button', { name: 'Show the price' }).click()
    await expect(page.getByRole('row', { name: 'VAT 20 %' })).toContainText('€8.00')
    await expect(page.getByRole('row', { name: 'Total a month' })).toContainText('€48.00')
    await expect(page.getByRole('link', { name: 'Buy with a payment link' })).toHaveAttribute('href', link.url)
  })

  await test.step('after a purchase, the account page shows the active subscription', async () => {
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL(/\/checkout\//)
    await fillBuyer(page)
    await payButton(page).click()
    await choose(page, 'paid')
    await page.waitForURL(`${shopUrl}/account`)
    await expect(async () => {
      await account()
      await expect(page.getByText('4 seats, active')).toBeVisible({ timeout: 1_000 })
    }).toPass()
  })

  await test.step('a change of seats is charged after its preview', async () => {
    await page.getByLabel('Seats').fill('6')
    await page.getByRole('button', { name: 'Show the price' }).click()
    await expect(page.getByText(/€\d+\.\d\d now\. €71\.40 at the next renewal\./)).toBeVisible()
    await page.getByRole('button', { name: 'Change to 6 seats' }).click()
    await expect(page.getByText('6 seats, active')).toBeVisible()
    await expect(page.getByRole('listitem')).toHaveCount(2)
  })

  const { data } = await billhook.listSubscriptions()
  const id = data[0]?.id ?? ''

  await test.step('a declined renewal shows a banner, which leads to the payment', async () => {
    await billhook.setPaymentBehavior(id, { outcome: 'failed', failureReason: 'insufficient_funds', times: 1 })
    await billhook.advanceTestClock({ by: 'P1M' })
    await account()
    await expect(page.getByRole('alert').first()).toContainText('€71.40 is past due')
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.waitForURL((url) => url.origin === new URL(baseURL ?? '').origin)
    await expect(payButton(page)).toBeVisible()
    await billhook.advanceTestClock({ by: 'P8D' })
    await account()
    await expect(page.getByText('is past due')).toHaveCount(0)
  })

  await test.step('the account page opens the customer portal', async () => {
    await page.getByRole('button', { name: 'Manage the subscription' }).click()
    await page.waitForURL(/\/portal/)
  })

  await test.step('without JavaScript, a customer can change the number of seats', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${shopUrl}/account`)
    await plain.getByLabel('Seats').fill('7')
    await plain.getByRole('button', { name: 'Show the price' }).click()
    await plain.getByRole('button', { name: 'Change to 7 seats' }).click()
    await expect(plain.getByText('7 seats, active')).toBeVisible()
    await context.close()
  })

  await test.step('year.test.mjs of the example passes', async () => {
    const { stdout } = await run(process.execPath, ['--test', 'year.test.mjs'], {
      cwd: folder,
      env: { ...process.env, ...variables, SUBSCRIPTION_ID: id },
    })
    expect(stdout).toMatch(/fail 0/)
    expect(stdout).toMatch(/pass 5/)
    await account()
    await expect(page.getByText('8 seats, canceled')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show the price' })).toHaveCount(0)
  })
})
