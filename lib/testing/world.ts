import { createKey, revokeKey } from '../modules/accounts/operations.ts'
import { db } from '../platform/db/db.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { send } from './api.ts'
import * as factories from './factories.ts'
import { aReceiver, type Received } from './receiver.ts'
import { aShop, type Shop } from './shop.ts'
import { drainTasks } from './subscription-scenario.ts'

/** The types of resources. `order` awaits payment. `sale` is paid: 10.00 in one line. `refund` refunds 1.00, and `chargeback` disputes 1.21. */
export type Noun =
  | 'plan'
  | 'product'
  | 'customer'
  | 'checkout'
  | 'paymentLink'
  | 'order'
  | 'sale'
  | 'saleLine'
  | 'refund'
  | 'chargeback'
  | 'subscription'
  | 'webhook'
  | 'event'

/** One resource of each kind in the test mode of one storefront, and API keys that must not see these resources. */
export interface World {
  readonly key: string
  readonly liveKey: string
  readonly other: Shop
  readonly ids: Readonly<Record<Noun, string>>
  readonly foreign: Readonly<Record<Noun, string>>
  readonly deadKeys: readonly string[]
  readonly hook: () => string
  readonly received: Received[]
  readonly close: () => Promise<unknown>
}

export async function aWorld(): Promise<World> {
  const shop = await aShop()
  const other = await aShop({ name: 'Another one' })
  const receiver = await aReceiver()
  let hooks = 0
  const hook = () => `${receiver.url}?${++hooks}`
  const ids = await oneOfEach(shop.testKey, hook())
  const foreign = await oneOfEach(other.testKey, hook())
  receiver.requests.length = 0
  const { storefrontId } = shop
  const revoked = await createKey({ storefrontId, testmode: true, scope: 'full' })
  await revokeKey({ keyId: revoked.keyId })
  const expired = await createKey({ storefrontId, testmode: true, scope: 'full', expiresInMs: 0 })
  return {
    key: shop.testKey,
    liveKey: shop.liveKey,
    other,
    ids,
    foreign,
    deadKeys: [revoked.key, expired.key, `test_${'0'.repeat(40)}`],
    hook,
    received: receiver.requests,
    close: receiver.close,
  }
}

async function oneOfEach(key: string, hook: string): Promise<Record<Noun, string>> {
  const plan = await factories.aPlan(key)
  const product = await factories.aProduct(key)
  const checkout = await factories.pay(key, await factories.aCheckout(key, plan.id))
  const subscriptions = await send('GET /v1/subscriptions', { key })
  await factories.pay(key, await factories.aCheckout(key, plan.id))
  const [other] = (await send('GET /v1/subscriptions', { key })).body.data
  await send(`POST /v1/test-helpers/subscriptions/${other.id}/fast-forward-renewal`, { key })
  await drainTasks()
  const [pending] = (await send('GET /v1/orders', { key })).body.data
  const sale = (await send(`GET /v1/orders/${checkout.orderId}`, { key })).body
  const items = [{ itemId: sale.lines[0].id, amount: factories.price('1.00') }]
  const refund = await send(`POST /v1/orders/${sale.id}/refunds`, { key, body: { items } })
  const chargeback = await raise(sale.id, { amount: '1.21', reason: 'product_not_received' })
  await drainTasks()
  const archived = await factories.aProduct(key)
  await send(`POST /v1/one-off-products/${archived.id}/archive`, { key })
  const event = await db().events.findFirstOrThrow({ where: { entity_id: archived.id } })
  return {
    plan: plan.id,
    product: product.id,
    customer: checkout.customerId,
    checkout: checkout.id,
    paymentLink: (await factories.aPaymentLink(key, plan.id)).id,
    order: pending.id,
    sale: sale.id,
    saleLine: sale.lines[0].id,
    refund: refund.body.id,
    chargeback: chargeback.chargebackId,
    subscription: subscriptions.body.data[0].id,
    webhook: (await factories.anEndpoint(key, hook)).id,
    event: event.id,
  }
}
