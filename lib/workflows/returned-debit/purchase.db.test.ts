import { afterAll, describe, expect, it, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aProduct, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { balanceOf } from '../../testing/money-back.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { declare } from '../../testing/withdrawal.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }

/** The purchase is on 1 June. The bank returns the debit on 6 June. */
async function returned() {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aProduct(key, { basePrice: price('100.00') })
  const checkout = await aCheckout(key, id)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
  const next = await submitCheckout(token, new URLSearchParams(buyer), visitor)
  await onProvidersPage(next, { outcome: 'returned' })
  const purchase = { shop, key, token }
  await pass(purchase, 'P5DT1H')
  return purchase
}
type Purchase = Awaited<ReturnType<typeof returned>>

const ordersOf = async ({ key }: Purchase) => (await get(key, '/v1/orders')).data.reverse()
const kindsOf = async ({ shop }: Purchase) => (await listEmails(shop.storefrontId)).map(({ kind }) => kind).reverse()
const pay = async ({ token }: Purchase, paymentMethod: string) =>
  submitCheckout(token, new URLSearchParams({ paymentMethod }), visitor)
const sold = ['checkout.paid', 'order.paid']

test('the order of a returned debit is unpaid and keeps its invoice, and an email links to the payment page', async () => {
  const purchase = await returned()
  expect(await ordersOf(purchase)).toMatchObject([{ status: 'pending', invoiceNumber: 'TEST-INV-2027-000001' }])
  expect((await get(purchase.key, '/v1/chargebacks')).data).toEqual([])
  expect(await eventsOf(purchase.shop)).toEqual([...sold, 'order.payment_failed'])
  expect(await kindsOf(purchase)).toEqual(['receipt', 'purchase_unpaid'])
  const [email] = await listEmails(purchase.shop.storefrontId)
  expect(email?.text).toContain(`/checkout/${purchase.token}`)
  expect(await checkoutPage(purchase.token, visitor)).toMatchObject({
    state: 'owed',
    total: { value: '119.00' },
    invoiceNumber: 'TEST-INV-2027-000001',
    until: expect.stringMatching(/^2027-06-27/),
    notice: null,
  })
  expect(await balanceOf({ tenant: purchase.shop.scope })).toEqual({
    merchant_balance: '26.50',
    provider_fees: '-7.50',
    tax_payable: '-19.00',
  })
})

describe('the buyer of a purchase whose debit was returned', () => {
  it.each(['creditcard', 'paypal'])('the buyer pays the same invoice by %s on the emailed page', async (method) => {
    const purchase = await returned()
    await onProvidersPage(await pay(purchase, method), { outcome: 'paid' })
    await drainTasks()
    expect(await ordersOf(purchase)).toMatchObject([
      { status: 'paid', invoiceNumber: 'TEST-INV-2027-000001', paymentMethod: method },
    ])
    expect(await eventsOf(purchase.shop)).toEqual([...sold, 'order.payment_failed', 'order.paid'])
    expect(await kindsOf(purchase)).toEqual(['receipt', 'purchase_unpaid', 'receipt'])
    expect(await checkoutPage(purchase.token, visitor)).toMatchObject({ state: 'paid' })
    await pass(purchase, 'P30D')
    expect(await kindsOf(purchase)).toHaveLength(3)
  })

  it('after a declined payment for a returned debit, the page shows the reason, and the buyer pays by another method', async () => {
    const purchase = await returned()
    await onProvidersPage(await pay(purchase, 'creditcard'), { outcome: 'failed', failureReason: 'card_expired' })
    expect(await checkoutPage(purchase.token, visitor)).toMatchObject({
      state: 'owed',
      notice: { kind: 'declined', reason: 'card_expired' },
    })
    await onProvidersPage(await pay(purchase, 'paypal'), { outcome: 'paid' })
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'paid', paymentMethod: 'paypal' }])
    expect((await pay(purchase, 'paypal'))?.redirectTo).toContain(`/checkout/${purchase.token}`)
  })

  it('a second direct debit for the same purchase can be returned, and the order is then unpaid again', async () => {
    const purchase = await returned()
    await onProvidersPage(await pay(purchase, 'directdebit'), { outcome: 'returned' })
    expect(await checkoutPage(purchase.token, visitor)).toMatchObject({ state: 'pending' })
    await pass(purchase, 'PT1H')
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'paid' }])
    await pass(purchase, 'P5DT1H')
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'pending' }])
    expect(await db().recoveries.findMany({ where: { storefront_id: purchase.shop.storefrontId } })).toMatchObject([
      { status: 'open', kind: 'soft', subscription_id: null, collects: 'sale' },
    ])
  })

  it('an order that stays unpaid is canceled after the reminders, with a credit note for the full invoice', async () => {
    const purchase = await returned()
    await pass(purchase, 'P22D')
    expect(await ordersOf(purchase)).toMatchObject([
      { status: 'canceled', invoiceNumber: 'TEST-INV-2027-000001' },
      { status: 'paid', invoiceNumber: 'TEST-CN-2027-000001', total: { value: '119.00' } },
    ])
    expect(await eventsOf(purchase.shop)).toEqual([...sold, 'order.payment_failed', 'order.canceled'])
    expect(await kindsOf(purchase)).toEqual(['receipt', ...Array(4).fill('purchase_unpaid'), 'refund'])
    expect(await checkoutPage(purchase.token, visitor)).toMatchObject({ state: 'canceled', isWrittenOff: true })
    expect((await pay(purchase, 'paypal'))?.redirectTo).toContain(`/checkout/${purchase.token}`)
  })

  it('the write-off of an unpaid purchase waits for an open payment on the provider’s page', async () => {
    const purchase = await returned()
    await pass(purchase, 'P20D')
    const next = await pay(purchase, 'creditcard')
    await pass(purchase, 'P2D')
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'pending' }])
    await onProvidersPage(next, { outcome: 'paid' })
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'paid' }])
  })

  it('a withdrawal from the whole purchase cancels the unpaid order immediately, with a credit note', async () => {
    const purchase = await returned()
    const [{ id }] = await ordersOf(purchase)
    await declare(tokenOf(withdrawalPath(id)))
    await drainTasks()
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'canceled' }, { invoiceNumber: 'TEST-CN-2027-000001' }])
    const kinds = ['receipt', 'purchase_unpaid', 'withdrawal_received', 'refund']
    expect((await kindsOf(purchase)).sort()).toEqual(kinds.sort())
    await pass(purchase, 'P30D')
    expect(await kindsOf(purchase)).toHaveLength(kinds.length)
    expect((await pay(purchase, 'paypal'))?.redirectTo).toContain(`/checkout/${purchase.token}`)
  })

  it('a payment that is pending at a withdrawal pays the order and can be refunded', async () => {
    const purchase = await returned()
    const [{ id }] = await ordersOf(purchase)
    const next = await pay(purchase, 'creditcard')
    await declare(tokenOf(withdrawalPath(id)))
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'pending' }])
    await onProvidersPage(next, { outcome: 'paid' })
    await drainTasks()
    expect(await ordersOf(purchase)).toMatchObject([{ status: 'paid' }])
    expect((await send(`POST /v1/orders/${id}/refunds/full`, { key: purchase.key, body: {} })).status).toBe(201)
  })

  it('a refund of the order is refused while the order is unpaid', async () => {
    const purchase = await returned()
    const [{ id }] = await ordersOf(purchase)
    expect(await send(`POST /v1/orders/${id}/refunds/full`, { key: purchase.key, body: {} })).toMatchObject({
      status: 422,
      body: { errors: { orderId: ['Only a paid order can be refunded. The status of this order is pending.'] } },
    })
  })
})
