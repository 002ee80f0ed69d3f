import { balance } from '../modules/ledger/operations.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import * as factories from './factories.ts'
import { aLink, save } from './invoice-update.ts'
import { aShop, type Shop } from './shop.ts'
import { drainTasks, get } from './subscription-scenario.ts'

export interface Sale {
  readonly shop: Shop
  readonly key: string
  readonly tenant: Tenant
  readonly orderId: string
  readonly customerId: string
  readonly lines: readonly { readonly id: string }[]
}

/** Makes a paid sale, by default at 2026-12-01T00:00:00Z to a buyer in the Netherlands (21 %). If `shop` is given, its clock does not change. */
export async function aSale({
  price,
  buyer = {},
  shop: known,
  quantity = 1,
  others = [],
  taxBehavior = 'exclusive',
}: {
  price: string
  buyer?: object
  shop?: Shop
  quantity?: number
  others?: readonly string[]
  taxBehavior?: 'exclusive' | 'inclusive'
}): Promise<Sale> {
  const shop = known ?? (await aShop({ at: '2026-12-01T00:00:00Z' }))
  const key = shop.testKey
  const products = []
  for (const each of [price, ...others])
    products.push({
      id: (await factories.aProduct(key, { basePrice: factories.price(each), taxBehavior })).id,
      quantity,
    })
  const checkout = await factories.aCheckout(key, products[0]?.id ?? '', { products })
  const { orderId, customerId } = await factories.pay(key, checkout, buyer)
  await drainTasks()
  const { lines } = await get(key, `/v1/orders/${orderId}`)
  return { shop, key, tenant: shop.scope, orderId, customerId, lines }
}

/** Adds a tax ID to the paid invoice, which corrects the tax. The refund of the tax is then pending. */
export async function nameTaxId(sale: Pick<Sale, 'key' | 'orderId'>, taxId = 'DE1'): Promise<void> {
  await save(await aLink(sale), { taxId })
}

export async function balanceOf({ tenant }: Pick<Sale, 'tenant'>): Promise<Record<string, string>> {
  const rows = await balance(tenant)
  return Object.fromEntries(
    rows.filter(({ amount }) => amount !== '0.00').map(({ account, amount }) => [account, amount]),
  )
}

export async function eventsAbout({ tenant }: Pick<Sale, 'tenant'>, names: RegExp): Promise<string[]> {
  const where = { storefront_id: tenant.storefrontId }
  const rows = await db().events.findMany({ where, orderBy: { id: 'asc' }, select: { name: true } })
  return rows.map(({ name }) => name).filter((name) => names.test(name))
}
