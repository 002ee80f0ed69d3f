import { afterEach, expect, it, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { transact } from '../../modules/events/transact.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { sameBeginning } from '../../testing/same-beginning.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { applyProviderUpdate } from '../chargeback/apply-provider-update.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }

/** The purchase of 119.00 is on 1 June. The bank returns the debit on 6 June. */
async function bought(plan: object = {}) {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aPlan(key, { basePrice: price('100.00'), ...plan })
  const checkout = await aCheckout(key, id)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
  const next = await submitCheckout(token, new URLSearchParams(buyer), visitor)
  await onProvidersPage(next, { outcome: 'returned' })
  return { shop, key, token }
}
type Sale = Awaited<ReturnType<typeof bought>>

/** The bank returns the debit on 6 June for a soft reason. The recovery ends on 27 June. */
const returned = sameBeginning(async (plan: object = {}): Promise<Sale> => {
  const sale = await bought(plan)
  await pass(sale, 'P5DT1H')
  return sale
})

const ordersOf = async ({ key }: Sale) => (await get(key, '/v1/orders')).data.reverse()
const subscriptionOf = async ({ key }: Sale) => (await get(key, '/v1/subscriptions')).data[0]
const kindsOf = async ({ shop }: Sale) => (await listEmails(shop.storefrontId)).map(({ kind }) => kind).reverse()
const pay = async ({ token }: Sale, paymentMethod: string) =>
  submitCheckout(token, new URLSearchParams({ paymentMethod }), visitor)
const sold = ['checkout.paid', 'subscription.started', 'order.paid']

test('after a returned first debit, the order is unpaid, and the subscription stays active', async () => {
  const sale = await returned()
  expect(await ordersOf(sale)).toMatchObject([{ status: 'pending', invoiceNumber: 'TEST-INV-2027-000001' }])
  expect((await get(sale.key, '/v1/chargebacks')).data).toEqual([])
  expect(await eventsOf(sale.shop)).toEqual([...sold, 'order.payment_failed'])
  expect((await kindsOf(sale)).slice(-1)).toEqual(['purchase_unpaid'])
  expect(await subscriptionOf(sale)).toMatchObject({ status: 'active' })
  expect(await checkoutPage(sale.token, visitor)).toMatchObject({ state: 'owed', total: { value: '119.00' } })
})

it('after the buyer pays for a returned first debit on the checkout page, the subscription renews at the next due date', async () => {
  const sale = await returned()
  await onProvidersPage(await pay(sale, 'creditcard'), { outcome: 'paid' })
  await drainTasks()
  expect(await ordersOf(sale)).toMatchObject([{ status: 'paid', invoiceNumber: 'TEST-INV-2027-000001' }])
  await pass(sale, 'P30D')
  expect(await ordersOf(sale)).toHaveLength(2)
})

it('after the buyer pays for a returned first debit, the unbilled periods are charged, and the receipt states these periods', async () => {
  const sale = await returned({ interval: 'week' })
  const before = await kindsOf(sale)
  await pass(sale, 'P10D')
  expect(await ordersOf(sale)).toHaveLength(1)
  expect(new Set((await kindsOf(sale)).slice(before.length))).toEqual(new Set(['purchase_unpaid']))
  await onProvidersPage(await pay(sale, 'creditcard'), { outcome: 'paid' })
  const receipt = (await listEmails(sale.shop.storefrontId)).find(({ kind }) => kind === 'payment_recovered')
  const text = receipt?.text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('2 further periods have begun in the meantime and are charged now: €238.00 in all.')
  expect(text).toContain('Next charge: €119.00 on 22 June 2027')
  await pass(sale, 'P1D')
  expect((await ordersOf(sale)).length).toBeGreaterThan(1)
})

it('if a returned first debit stays unpaid, its order gets a credit note, and its subscription ends', async () => {
  const sale = await returned()
  await pass(sale, 'P22D')
  expect(await ordersOf(sale)).toMatchObject([
    { status: 'canceled', invoiceNumber: 'TEST-INV-2027-000001' },
    { status: 'paid', invoiceNumber: 'TEST-CN-2027-000001', total: { value: '119.00' } },
  ])
  expect(await subscriptionOf(sale)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
  expect((await eventsOf(sale.shop)).slice(-3)).toEqual([
    'order.payment_failed',
    'order.canceled',
    'subscription.canceled_for_nonpayment',
  ])
})

it('the end of a recovery does not change a subscription that was canceled during the recovery', async () => {
  const sale = await returned()
  const { id } = await subscriptionOf(sale)
  const reply = await send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key: sale.key })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  const before = await subscriptionOf(sale)
  await pass(sale, 'P22D')
  expect(await subscriptionOf(sale)).toEqual(before)
})

it('the subscription ends once for nonpayment, even if renewals were billed before the debit was returned', async () => {
  const sale = await returned({ interval: 'day' })
  const before = await ordersOf(sale)
  expect(before.length).toBeGreaterThan(1)
  expect(before[0]).toMatchObject({ status: 'pending' })
  await pass(sale, 'P22D')
  expect(await subscriptionOf(sale)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
  expect((await eventsOf(sale.shop)).filter((name) => name === 'subscription.canceled_for_nonpayment')).toHaveLength(1)
})

it('if a recovery ends without a payment, a subscription in its grace period ends too', async () => {
  const sale = await returned()
  const { id } = await subscriptionOf(sale)
  expect((await send(`DELETE /v1/subscriptions/${id}`, { key: sale.key })).status).toBeLessThan(300)
  expect(await subscriptionOf(sale)).toMatchObject({ status: 'on_grace_period' })
  await pass(sale, 'P22D')
  expect(await subscriptionOf(sale)).toMatchObject({ status: 'canceled' })
})

it('if a debit is returned because the bank account is closed, the recovery ends within a week, with emails on schedule', async () => {
  const sale = await bought()
  await pass(sale, 'P1D')
  const payment = await db().payments.findFirstOrThrow({ where: { storefront_id: sale.shop.storefrontId } })
  const update = {
    ref: 'return_of_closed_account',
    paymentRef: payment.provider_ref ?? '',
    amount: { minor: payment.amount, currency: 'EUR' },
    reason: 'AC04',
    returnedFor: 'account_closed',
    status: 'lost',
  } as const
  await transact(sale.shop.scope, async (tx) => {
    await applyProviderUpdate(tx, update)
  })
  expect(await ordersOf(sale)).toMatchObject([{ status: 'pending' }])
  await pass(sale, 'P7DT1H')
  expect(await subscriptionOf(sale)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
  expect((await kindsOf(sale)).filter((kind) => kind === 'purchase_unpaid')).toHaveLength(3)
})
