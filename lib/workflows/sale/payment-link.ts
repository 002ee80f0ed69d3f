import { sellingOf } from '../../modules/accounts/store.ts'
import type { Product } from '../../modules/catalog/rules/index.ts'
import * as catalog from '../../modules/catalog/store.ts'
import type { LinkState } from '../../modules/payment-links/page.ts'
import { offerOf } from '../../modules/payment-links/rules/offer.ts'
import { idOfCode, type PaymentLink, stateOf } from '../../modules/payment-links/rules/payment-link.ts'
import { findPaymentLinkAnywhere } from '../../modules/payment-links/store.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { takesPayments } from '../../providers/index.ts'
import type { FoundCheckout } from './quote.ts'

export interface FoundLink {
  readonly link: PaymentLink
  readonly tenant: Tenant
  readonly now: Date
  readonly products: ReadonlyMap<string, Product>
  readonly state: LinkState
}

export async function findLinkOf(code: string): Promise<FoundLink | null> {
  const id = idOfCode(code)
  const found = id && (await findPaymentLinkAnywhere(db(), id))
  if (!found) return null
  const { link, tenant } = found
  const [now, products, selling, canBePaid] = await Promise.all([
    clockNow(db(), tenant),
    catalog.findProducts(
      db(),
      tenant,
      link.items.map(({ productId }) => productId),
    ),
    sellingOf(db(), tenant),
    takesPayments(tenant),
  ])
  const state = stateOf(link, products, selling)
  return { link, tenant, now, products, state: state === 'open' && !canBePaid ? 'live_not_set_up' : state }
}

export const offered = ({ link, tenant, now, products }: FoundLink, quantities: readonly number[]): FoundCheckout => ({
  checkout: offerOf(link, products, quantities, now),
  tenant,
  now,
})
