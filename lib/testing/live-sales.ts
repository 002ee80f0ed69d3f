import { POST } from '@/app/api/providers/[provider]/route.ts'
import type { Duration } from '../kernel/calendar.ts'
import { submit } from '../workflows/sale/submit-checkout.ts'
import { send } from './api.ts'
import { aCheckout, aPlan, price } from './factories.ts'
import { advanceWithoutTasks } from './scenarios.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from './shop.ts'
import type { LiveProvider } from './stand-ins/live-provider.ts'
import { arrival } from './subscription-scenario.ts'

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
    await submit(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor)
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

/** Advances the clock in one step, so that the hourly fetches of an undecided payment or mandate run only once. */
export async function jump(made: { readonly shop: Shop }, by: Duration): Promise<void> {
  await advanceWithoutTasks(made, by)
  await runDueTasks(1_000)
}
