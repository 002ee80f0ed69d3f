import { afterAll, expect, test } from 'vitest'
import { transact } from '../../modules/events/transact.ts'
import { db } from '../../platform/db/db.ts'
import { aCheckout, aProduct, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, buyerForm, germanVisitor, tokenOf } from '../../testing/shop.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { applyProviderUpdate } from './apply-provider-update.ts'
import { raise } from './operations.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function aDispute(buyer: Record<string, string>, outcome: string) {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const key = shop.testKey
  const { id } = await aProduct(key)
  const checkout = await aCheckout(key, id)
  const next = await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), buyerForm(buyer), germanVisitor)
  await onProvidersPage(next, { outcome })
  const payment = await db().payments.findFirstOrThrow({ where: { checkout_id: checkout.id } })
  const amount = { minor: payment.amount, currency: 'EUR' as const }
  const about = { ref: 'sandbox_dispute', paymentRef: payment.provider_ref ?? '', amount }
  const apply = (differences: object = {}) =>
    transact(shop.scope, (tx) =>
      applyProviderUpdate(tx, { ...about, reason: 'fraud', status: 'pending', ...differences }),
    )
  return { shop, key, checkoutId: checkout.id, orderId: payment.order_id, paymentRef: about.paymentRef, apply }
}

test('if a dispute arrives before the outcome of the payment, the outcome is fetched from the provider', async () => {
  const { shop, key, checkoutId, orderId, paymentRef, apply } = await aDispute({ paymentMethod: 'directdebit' }, 'paid')
  expect(await apply()).toEqual({ waits: true })
  expect(await db().chargebacks.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
  const asks = { name: 'payment.sync', key: paymentRef }
  expect(await db().tasks.findFirst({ where: asks })).toMatchObject({ storefront_id: shop.storefrontId })
  await pass({ key }, 'PT1H')
  expect(await get(key, `/v1/checkouts/${checkoutId}`)).toMatchObject({ status: 'paid', orderId })
  expect(await raise(orderId, { reason: 'fraud' })).toMatchObject({ status: 'pending' })
  expect(await get(key, `/v1/orders/${orderId}`)).toMatchObject({ status: 'paid', refundableSubtotal: price('0.00') })
})

test('a dispute is reported as an error if its payment has failed in our books', async () => {
  const { apply } = await aDispute({}, 'failed')
  await expect(apply()).rejects.toThrow(/that is failed here$/)
})

test('a dispute in another currency than the order is reported as an error and deducts no money', async () => {
  const { shop, key, orderId, apply } = await aDispute({}, 'paid')
  await pass({ key }, 'PT1S')
  await expect(apply({ amount: { minor: 12_100n, currency: 'USD' } })).rejects.toThrow(/in another currency/)
  expect(await db().chargebacks.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
  expect(await get(key, `/v1/orders/${orderId}`)).toMatchObject({ status: 'paid', reversedSubtotal: price('0.00') })
})
