import { addDuration } from '../../kernel/calendar.ts'
import { config } from '../../platform/config.ts'
import type { Product } from '../catalog/rules/index.ts'
import type { Transaction } from '../events/transact.ts'
import { type Checkout, type Item, snapshot, withCheckoutId } from './rules/index.ts'
import * as store from './store.ts'
import { expireCheckout } from './tasks.ts'

interface Offer
  extends Pick<
    Checkout,
    | 'customerId'
    | 'redirectUrlSuccess'
    | 'redirectUrlCanceled'
    | 'metadata'
    | 'locale'
    | 'billingAddress'
    | 'paymentLinkId'
  > {
  readonly items: readonly Item[]
  readonly products: ReadonlyMap<string, Product>
  /**
   * Identifies one rendering of the form of a payment link, so that a form that is sent twice creates one checkout.
   * Null for a checkout without a payment link.
   */
  readonly formKey: string | null
}

export async function addCheckout(tx: Transaction, { items, products, formKey, ...offer }: Offer): Promise<Checkout> {
  const { sql, now, newId, enqueue, ...tenant } = tx
  const id = newId('checkout_')
  const { redirectUrlSuccess, redirectUrlCanceled } = offer
  const checkout: Checkout = {
    ...offer,
    id,
    testmode: tenant.testmode,
    status: 'created',
    taxBehavior: [...products.values()][0]?.taxBehavior ?? 'exclusive',
    redirectUrlSuccess: redirectUrlSuccess === null ? null : withCheckoutId(redirectUrlSuccess, id),
    redirectUrlCanceled: withCheckoutId(redirectUrlCanceled, id),
    draft: null,
    expiresAt: addDuration(now, config().checkoutTtl) ?? now,
    createdAt: now,
    lines: items.map((item) => snapshot(newId('checkout_item_'), item, products.get(item.id))),
  }
  await Promise.all([
    store.insertCheckout(sql, tenant, checkout, formKey),
    enqueue(expireCheckout, { key: id, data: { checkoutId: id }, dueAt: checkout.expiresAt }),
  ])
  return checkout
}
