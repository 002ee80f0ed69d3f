import { afterAll, expect, vi } from 'vitest'
import { POST } from '@/app/api/providers/[provider]/route.ts'
import type { Duration } from '../kernel/calendar.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { registry } from '../providers/registry.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { send } from './api.ts'
import { aCheckout, aPlan, aProduct, price } from './factories.ts'
import { advanceWithoutTasks } from './scenarios.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from './shop.ts'
import type { LiveProvider } from './stand-ins/live-provider.ts'
import { arrival, get } from './subscription-scenario.ts'

interface Notice {
  readonly body: string
  readonly contentType: string
}

export async function sendNotice({ name }: LiveProvider, { body, contentType }: Notice): Promise<number> {
  const headers = { 'content-type': contentType }
  const request = new Request(`http://localhost/api/providers/${name}`, { method: 'POST', body, headers })
  return (await POST(request, { params: Promise.resolve({ provider: name }) })).status
}

export function newestOnPage(provider: LiveProvider) {
  const payment = provider.payments().findLast(({ kind }) => kind !== 'on a mandate')
  if (!payment) throw new Error('the stand-in has no payment')
  return payment
}

export async function aShopOf(provider: LiveProvider, buyers: number, paymentMethod = 'creditcard') {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const { id } = await aPlan(shop.testKey, { basePrice: price('10.00') })
  const customers: string[] = []
  for (let each = 0; each < buyers; each++) {
    const checkout = await aCheckout(shop.testKey, id)
    const form = buyerForm({ paymentMethod, email: `${checkout.id}@example.com` })
    await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor)
    const { ref, customerRef } = newestOnPage(provider)
    provider.pay(ref)
    await sendNotice(provider, provider.noticeOf(ref))
    customers.push(customerRef)
  }
  await runDueTasks(10 * buyers + 50)
  const charges = () =>
    provider.payments().filter(({ customerRef, kind }) => kind === 'on a mandate' && customers.includes(customerRef))
  const mandates = () => customers.flatMap((each) => provider.mandatesOf(each))
  return { shop, key: shop.testKey, charges, mandates, customers }
}

export async function aMonthLater(key: string): Promise<void> {
  const { body } = await send('POST /v1/test-helpers/clock/advance', { key, body: { by: 'P1M' } })
  await arrival(key, body.remaining)
  await runDueTasks(10_000)
}

/**
 * Advances the clock in one step, so that the hourly fetches of a payment or mandate without an outcome run only once.
 */
export async function jump(made: { readonly shop: Shop }, by: Duration): Promise<void> {
  await advanceWithoutTasks(made, by)
  await runDueTasks(1_000)
}

/**
 * Makes a simulated live provider also receive the payments of test mode, because the tests skip months with the test
 * clock, which only test mode has.
 */
export function takePaymentsAt({ name, account }: Pick<LiveProvider, 'name' | 'account'>): void {
  Object.assign(config(), { [name]: account, livePayments: name })
  const its = registry.providers.find((each) => each.name === name) ?? null
  vi.spyOn(registry, 'ofNewPayments', 'get').mockReturnValue({ test: its, live: its })
}

const retryNow = () =>
  db().$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE last_error IS NOT NULL`

export async function tryAgain(provider: Pick<LiveProvider, 'resetConnection'>, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    provider.resetConnection()
    await retryNow()
    await runDueTasks(1000)
  }
}

export const failures = async () =>
  (await db().tasks.findMany({ where: { last_error: { not: null } } })).map(({ name, last_error }) => [
    name,
    last_error,
  ])

export const orderStatuses = async (key: string): Promise<string[]> =>
  (await get(key, '/v1/orders?limit=100')).data.map(({ status }: { status: string }) => status)

/** Sales through one live provider at a time, in a storefront with a plan and a one-off product. */
class LiveSales {
  provider!: LiveProvider
  shop!: Shop
  planId!: string
  productId!: string
  private readonly started: LiveProvider[] = []

  /**
   * Starts a simulated provider, and creates a storefront with a plan and a product for the tests that follow. Call
   * this method in `beforeAll`.
   */
  async start(start: () => Promise<LiveProvider>): Promise<void> {
    this.provider = await start()
    this.started.push(this.provider)
    takePaymentsAt(this.provider)
    this.shop = await aShop({ at: '2027-01-01T00:00:00Z' })
    this.planId = (await aPlan(this.shop.testKey, { basePrice: price('10.00') })).id
    this.productId = (await aProduct(this.shop.testKey)).id
  }

  close = () => Promise.all(this.started.map((each) => each.close()))
  notify = (ref: string) => sendNotice(this.provider, this.provider.noticeOf(ref))
  pageOf = (ref: string) => `${this.provider.url}/checkout/${ref}`

  /** Brings a buyer to the page of the provider. */
  onPage = async (sold = this.planId, paymentMethod = 'creditcard') => {
    const checkout = await aCheckout(this.shop.testKey, sold)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    const form = buyerForm({ paymentMethod, email: `${checkout.id}@example.com` })
    const sent = await submitCheckout(token, form, germanVisitor)
    const payment = newestOnPage(this.provider)
    expect(sent?.redirectTo).toBe(this.pageOf(payment.ref))
    return { checkout, token, payment }
  }

  paid = async (sold = this.planId, paymentMethod = 'creditcard') => {
    const { checkout, payment, token } = await this.onPage(sold, paymentMethod)
    this.provider.pay(payment.ref)
    expect(await this.notify(payment.ref)).toBe(200)
    await runDueTasks()
    const { status, orderId } = await get(this.shop.testKey, `/v1/checkouts/${checkout.id}`)
    expect(status).toBe('paid')
    return { orderId, payment, token }
  }

  /** Retries failed tasks until no task fails. Throws an error if a task still fails after `rounds` rounds. */
  untilDone = async (rounds = 10): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      this.provider.resetConnection()
      if ((await retryNow()) === 0) return
      await runDueTasks(10_000)
    }
    const [failed] = await failures()
    throw new Error(`${failed?.[0]} still fails: ${failed?.[1]}`)
  }
}

/**
 * Call this function at the top level of a test file. The simulated providers are closed after the last test of the
 * file.
 */
export function liveSales(): LiveSales {
  const sales = new LiveSales()
  afterAll(() => sales.close())
  return sales
}
