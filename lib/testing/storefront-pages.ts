import * as admin from '../admin/pages.ts'
import { db } from '../platform/db/db.ts'
import { at } from './admin-forms.ts'
import * as factories from './factories.ts'
import { drainTasks, ordersOf, type Scenario, subscriptionScenario } from './subscription-scenario.ts'

export const email = 'desk@example.com'
export const place = ({ shop }: Pick<Scenario, 'shop'>, mode = 'test') => at(shop, mode)
export const form = (fields: Record<string, string>) => new URLSearchParams(fields)

/**
 * Returns the hash that the form of an action sends as `terms`. The hash covers the effect of the action, as the page
 * of the subscription states it.
 */
export const termsOf = async (id: string, intent: string, where: Where, by: string | null) =>
  (await admin.subscriptionPage(where, id, by))?.actions.find(({ action }) => action === intent)?.terms ?? ''

export async function everything(receiverUrl: string) {
  const scenario = await subscriptionScenario()
  const { id: endpointId } = await factories.anEndpoint(scenario.key, `${receiverUrl}/${scenario.shop.storefrontId}`)
  const { id: productId } = await factories.aProduct(scenario.key)
  const { id: checkoutId } = await factories.pay(scenario.key, await factories.aCheckout(scenario.key, productId))
  const { id: paymentLinkId } = await factories.aPaymentLink(scenario.key, productId)
  await drainTasks()
  const where = { storefront_id: scenario.shop.storefrontId }
  const delivery = await db().deliveries.findFirstOrThrow({ where })
  const content = await db().emails.findFirstOrThrow({ where })
  const [, order] = await ordersOf(scenario)
  return {
    ...scenario,
    order,
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    mailId: content.id,
    productId,
    checkoutId,
    paymentLinkId,
    endpointId,
  }
}

export type Everything = Awaited<ReturnType<typeof everything>>

export type Where = ReturnType<typeof place>

export const item = {
  kind: 'one_off_product',
  name: 'Atlas',
  description: 'Maps.',
  'basePrice.value': '12.00',
  productType: 'ebook',
  taxBehavior: 'exclusive',
}

export const link = (productId: string) => ({
  'products.0.id': productId,
  'products.0.quantity': '1',
  redirectUrlSuccess: 'https://shop.example/thanks',
  redirectUrlCanceled: 'https://shop.example/basket',
})

export const yesterday = () => new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 16)

export const merchantOf = async ({ shop }: Scenario) =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })).merchant_id
