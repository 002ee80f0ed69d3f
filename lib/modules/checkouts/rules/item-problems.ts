import type { Money } from '../../../kernel/money.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import { isOnSale, type Product } from '../../catalog/rules/index.ts'
import { mostPerLine } from '../../orders/rules/order.ts'

interface OfferedItem {
  readonly id?: string | undefined
  readonly quantity?: number | undefined
  readonly maxQuantity?: number | null | undefined
  readonly price?: Money | null | undefined
  readonly trialDays?: number | null | undefined
}

interface Rules {
  readonly field: 'products' | 'items'
  readonly of: 'a checkout' | 'a payment link'
  readonly mayWait: boolean
}

const ofCheckout: Rules = { field: 'products', of: 'a checkout', mayWait: false }

export function itemProblems(
  items: readonly OfferedItem[],
  products: ReadonlyMap<string, Product>,
  { field, of, mayWait }: Rules = ofCheckout,
): Record<string, RuleProblem[]> {
  const errors: Record<string, RuleProblem[]> = {}
  const first = items.map(({ id = '' }) => products.get(id)).find((product) => product !== undefined)
  for (const [index, item] of items.entries()) {
    if (item.id === undefined) continue
    const product = products.get(item.id)
    const at = `${field}.${index}`
    if (!product) {
      errors[`${at}.id`] = [ruleProblem('product_missing')]
      continue
    }
    const closed = whyNotOffered(product, mayWait)
    if (closed) errors[`${at}.id`] = [closed]
    else if (product.taxBehavior !== first?.taxBehavior) errors[`${at}.id`] = [ruleProblem('products_tax', { of })]
    const most = item.maxQuantity ?? item.quantity ?? 1
    if ((item.price ?? product.terms.price).minor * BigInt(most) > mostPerLine)
      errors[`${at}.${item.maxQuantity ? 'maxQuantity' : 'quantity'}`] = [ruleProblem('line_limit')]
    if (item.trialDays && !product.terms.billingInterval) errors[`${at}.trialDays`] = [ruleProblem('trial_of_plan')]
  }
  return errors
}

function whyNotOffered(product: Product, mayWait: boolean): RuleProblem | null {
  if (isOnSale(product) || (mayWait && product.status === 'pending' && !product.archivedAt)) return null
  return product.archivedAt
    ? ruleProblem('product_archived')
    : ruleProblem('product_status', { status: product.status })
}
