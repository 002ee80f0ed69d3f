import type { Money } from '../../../kernel/money.ts'
import { isOnSale, type Product } from '../../catalog/rules/index.ts'
import { mostPerLine } from '../../orders/rules/order.ts'

interface OfferedItem {
  readonly id?: string | undefined
  readonly quantity?: number | undefined
  /** The maximum, if the buyer chooses the quantity. */
  readonly maxQuantity?: number | null | undefined
  readonly price?: Money | null | undefined
  readonly trialDays?: number | null | undefined
}

interface Rules {
  /** Prefix of the names of the problems. */
  readonly field: 'products' | 'items'
  readonly of: 'a checkout' | 'a payment link'
  /** Whether a product may wait for its approval. */
  readonly mayWait: boolean
}

const ofCheckout: Rules = { field: 'products', of: 'a checkout', mayWait: false }

export const otherMode = 'Check that it belongs to the mode of your API key.'

export function itemProblems(
  items: readonly OfferedItem[],
  products: ReadonlyMap<string, Product>,
  { field, of, mayWait }: Rules = ofCheckout,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  const first = items.map(({ id = '' }) => products.get(id)).find((product) => product !== undefined)
  for (const [index, item] of items.entries()) {
    if (item.id === undefined) continue
    const product = products.get(item.id)
    const at = `${field}.${index}`
    if (!product) {
      errors[`${at}.id`] = [`The selected product does not exist. ${otherMode}`]
      continue
    }
    const closed = whyNotOffered(product, mayWait)
    if (closed) errors[`${at}.id`] = [closed]
    else if (product.taxBehavior !== first?.taxBehavior)
      errors[`${at}.id`] = [`All products of ${of} must have the same taxBehavior.`]
    const most = item.maxQuantity ?? item.quantity ?? 1
    if ((item.price ?? product.terms.price).minor * BigInt(most) > mostPerLine)
      errors[`${at}.${item.maxQuantity ? 'maxQuantity' : 'quantity'}`] = [
        'Price times quantity must be at most 99999999.99.',
      ]
    if (item.trialDays && !product.terms.billingInterval)
      errors[`${at}.trialDays`] = ['Only a subscription plan can have a trial.']
  }
  return errors
}

function whyNotOffered(product: Product, mayWait: boolean): string | null {
  if (isOnSale(product) || (mayWait && product.status === 'pending' && !product.archivedAt)) return null
  return product.archivedAt
    ? 'The selected product is archived.'
    : `The selected product is not active: it is ${product.status}.`
}
