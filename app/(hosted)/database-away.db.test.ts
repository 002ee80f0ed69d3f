import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/platform/config.ts'
import { db } from '@/lib/platform/db/db.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aCatalogue, aCheckout, aShop, buyerForm, tokenOf } from '@/lib/testing/shop.ts'
import { ask, ordersOf, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { GET as billingQuote } from './billing-update/[token]/quote/route.ts'
import { POST as submitBilling } from './billing-update/[token]/submit/route.ts'
import { GET as checkoutQuote } from './checkout/[token]/quote/route.ts'
import { POST as submitCheckout } from './checkout/[token]/submit/route.ts'
import { POST as submitInvoiceUpdate } from './invoice-update/[token]/submit/route.ts'
import { POST as submitPayment } from './pay/[token]/submit/route.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function whileDatabaseIsAway<Result>(work: () => Promise<Result>): Promise<Result> {
  const url = new URL(process.env.DATABASE_URL ?? '')
  const name = url.pathname.slice(1)
  const server = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
  await server.connect()
  try {
    await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`)
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
    return await work()
  } finally {
    await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`)
    await server.end()
    await expect.poll(answersEveryQuery).toBe(true)
  }
}

/**
 * Returns whether every query succeeds. Sends more queries at once than the pool has connections, so that the queries
 * also use the connections that the outage has ended.
 */
async function answersEveryQuery(): Promise<boolean> {
  const queries = Array.from({ length: 2 * config().databasePool }, () => db().$queryRaw`SELECT 1`)
  return (await Promise.allSettled(queries)).every(({ status }) => status === 'fulfilled')
}

type Submit = typeof submitCheckout

const params = (address: string) => ({ params: Promise.resolve({ token: tokenOf(address) }) })
const urls = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }

const send = (submit: Submit, address: string, form: URLSearchParams) =>
  submit(new Request(`http://billhook.test${address}/submit`, { method: 'POST', body: form }), params(address))

async function sentAgain(submit: Submit, address: string, form: URLSearchParams): Promise<string> {
  const untaken = await whileDatabaseIsAway(() => send(submit, address, form))
  const html = await untaken.text()
  expect([untaken.status, html]).toEqual([503, expect.stringContaining('<html lang="it">')])
  const held = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const again = new URLSearchParams(held.map(([, name = '', value = '']) => [name, value]))
  expect([...again]).toEqual([...form])
  const answer = await send(submit, address, again)
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}

const italian = (fields: Record<string, string>) => new URLSearchParams({ ...fields, lang: 'it' })

describe('while the database is unavailable', () => {
  it('a buyer who sends a checkout or payment form again after a database outage makes exactly one purchase', async () => {
    const shop = await aShop()
    const { productId } = await aCatalogue(shop)
    const { id, token } = await aCheckout(shop, [{ id: productId }])
    const form = italian({ ...Object.fromEntries(buyerForm()), city: 'Bonn' })
    const payment = await sentAgain(submitCheckout, `/checkout/${token}`, form)
    expect(payment).toMatch(/^\/pay\//)
    const success = await sentAgain(submitPayment, payment, italian({ outcome: 'paid', mandate: 'valid' }))
    expect(success).toMatch(/^https:\/\/shop\.example\/ok/)
    const orders = await db().orders.findMany({ where: { checkout_id: id } })
    expect(orders).toMatchObject([{ status: 'paid' }])
    expect(await db().payments.count({ where: { checkout_id: id } })).toBe(1)
  })

  it('forms for billing details and invoice updates can be sent again after a database outage', async () => {
    const scenario = await subscriptionScenario()
    const billing = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', urls)
    const details = italian({ fullName: 'Ada', country: 'DE', city: 'Bonn', paymentMethod: 'keep', version: '0' })
    expect(await sentAgain(submitBilling, new URL(billing.body.href).pathname, details)).toBe('https://shop.example/ok')

    const [order] = await ordersOf(scenario)
    const invoice = await ask(scenario, `POST /v1/orders/${order.id}/invoice-update-link`)
    const address = new URL(invoice.body.href).pathname
    const corrected = italian({ fullName: 'Ada King', country: 'DE', taxId: 'DE1', version: '0' })
    expect(await sentAgain(submitInvoiceUpdate, address, corrected)).toBe(`${address}?saved`)
  })

  it('the price quote of a hosted form returns 503 during a database outage', async () => {
    const scenario = await subscriptionScenario()
    const { token } = await aCheckout(scenario.shop, [{ id: (await aCatalogue(scenario.shop)).productId }])
    const { body } = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', urls)
    const quote = (get: typeof checkoutQuote, address: string) =>
      get(new Request(`http://billhook.test${address}/quote?country=DE`), params(address))
    const answers = await whileDatabaseIsAway(() =>
      Promise.all([quote(checkoutQuote, `/checkout/${token}`), quote(billingQuote, new URL(body.href).pathname)]),
    )
    for (const answer of answers)
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([503, '5', null])
  })
})
