import { lastPayment } from '../modules/payments/store.ts'
import { db } from '../platform/db/db.ts'
import { testControlsFor } from '../providers/index.ts'
import { loadBillingUpdate } from '../workflows/billing-update/load-billing-update.ts'
import { submitBillingUpdate } from '../workflows/billing-update/submit-billing-update.ts'
import { syncWithProvider } from '../workflows/collection/sync-payment.ts'
import { salePayment } from '../workflows/sale/apply-sale-update.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { send } from './api.ts'
import { aCheckout, aPlan, aProduct, price } from './factories.ts'
import { billingToken, onProvidersPage } from './scenarios.ts'
import { aShop, type Shop, tokenOf } from './shop.ts'
import { get, pass } from './subscription-scenario.ts'

/** A sale paid by a direct debit that the bank returns after five days. The buyer pays 19 % tax. */
export interface OwedSale {
  readonly shop: Shop
  readonly key: string
  readonly token: string
  readonly orderId: string
  readonly customerId: string
  readonly ids: readonly string[]
}

interface Bought {
  readonly plan?: object
  readonly plans?: number
  readonly products?: number
}

export const visitor = { acceptLanguage: 'en', header: () => null }

async function boughtByDebit({ plan = {}, plans = 1, products = 0 }: Bought = {}): Promise<OwedSale> {
  const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
  const key = shop.testKey
  const sold: { id: string }[] = []
  for (let n = 0; n < plans; n++) sold.push(await aPlan(key, { basePrice: price('100.00'), ...plan }))
  for (let n = 0; n < products; n++) sold.push(await aProduct(key, { basePrice: price('20.00') }))
  const items = sold.map(({ id }) => ({ id }))
  const token = tokenOf((await aCheckout(key, items[0]?.id ?? '', { products: items })).links.checkoutUrl.href)
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
  await onProvidersPage(await submitCheckout(token, new URLSearchParams(buyer), visitor), { outcome: 'returned' })
  await pass({ key }, 'PT1H')
  const [order] = (await get(key, '/v1/orders')).data
  const subscriptions: { id: string }[] = (await get(key, '/v1/subscriptions')).data
  const ids = subscriptions.map(({ id }) => id).reverse()
  return { shop, key, token, orderId: order.id, customerId: order.customerId, ids }
}

/** Returns a sale whose debit the bank returned on 6 June for a soft reason. The recovery ends on 27 June. */
export async function returnedDebit(bought: Bought = {}): Promise<OwedSale> {
  const sale = await boughtByDebit(bought)
  await pass(sale, 'P5D')
  return sale
}

export const statusesOf = async ({ key }: Pick<OwedSale, 'key'>): Promise<string[]> =>
  (await get(key, '/v1/orders')).data.map(({ status }: { status: string }) => status).reverse()

export const subscriptionsOf = async ({ key }: Pick<OwedSale, 'key'>): Promise<string[]> =>
  (await get(key, '/v1/subscriptions')).data.map(({ status }: { status: string }) => status).reverse()

export const cancelAtOnce = ({ key, ids }: OwedSale, nth = 0) =>
  send(`DELETE /v1/subscriptions/${ids[nth]}?immediately=true`, { key })

export async function submitNewMethod({ key, ids }: OwedSale, paymentMethod: string, nth = 0) {
  const token = await billingToken({ key, id: ids[nth] ?? '' })
  const form = { country: 'DE', fullName: 'Ada', paymentMethod, version: '0' }
  return submitBillingUpdate(token, new URLSearchParams(form), { acceptLanguage: 'en' })
}

export const leaveMethod = async (sale: OwedSale, paymentMethod: string, nth = 0) =>
  onProvidersPage(await submitNewMethod(sale, paymentMethod, nth))

export async function failDebit({ shop, orderId }: OwedSale): Promise<void> {
  const payment = await lastPayment(db(), orderId)
  const { ref } = payment ?? {}
  if (!payment || !ref) throw new Error('no debit is on its way')
  await testControlsFor(payment)?.simulate(shop.scope, ref, { status: 'failed', failureReason: 'insufficient_funds' })
  await syncWithProvider(shop.scope, ref, { sale: salePayment })
}

export async function updatePageOf({ key, ids }: OwedSale, nth = 0) {
  return (await loadBillingUpdate(await billingToken({ key, id: ids[nth] ?? '' }), visitor)).view
}

export const payOnPage = ({ token }: OwedSale, paymentMethod: string) =>
  submitCheckout(token, new URLSearchParams({ paymentMethod }), visitor)
