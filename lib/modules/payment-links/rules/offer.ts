import type { Product } from '../../catalog/rules/index.ts'
import type { Checkout, Item } from '../../checkouts/rules/index.ts'
import { snapshot } from '../../checkouts/rules/index.ts'
import type { PaymentLink } from './payment-link.ts'

export const itemsOf = ({ items }: Pick<PaymentLink, 'items'>, quantities: readonly number[]): Item[] =>
  items.map(({ productId, quantity, price, trialDays, metadata }, index) => ({
    id: productId,
    quantity: quantities[index] ?? quantity,
    price: price === null ? null : { minor: price, currency: 'EUR' },
    trialDays,
    metadata,
  }))

export function offerOf(
  link: PaymentLink,
  products: ReadonlyMap<string, Product>,
  quantities: readonly number[],
  now: Date,
): Checkout {
  const items = itemsOf(link, quantities)
  return {
    id: '',
    testmode: link.testmode,
    status: 'created',
    customerId: null,
    taxBehavior: [...products.values()][0]?.taxBehavior ?? 'exclusive',
    redirectUrlSuccess: link.redirectUrlSuccess,
    redirectUrlCanceled: '',
    metadata: link.metadata,
    locale: link.locale,
    paymentLinkId: link.id,
    billingAddress: {},
    draft: null,
    expiresAt: now,
    createdAt: now,
    lines: items.map((item, index) => snapshot(String(index), item, products.get(item.id))),
  }
}
