import type { Money } from '../../../kernel/money.ts'
import type { Product } from '../../catalog/rules/index.ts'
import type { CheckoutLine } from './checkout.ts'

export interface Item {
  readonly id: string
  readonly quantity: number
  readonly price?: Money | null | undefined
  readonly trialDays?: number | null | undefined
  readonly metadata?: string | null | undefined
}

export function snapshot(id: string, item: Item, product: Product | undefined): CheckoutLine {
  if (!product) throw new Error('the product passed the check but was not found')
  const { name, description, price, productType, billingInterval } = product.terms
  return {
    id,
    productId: product.id,
    name,
    description,
    unitPrice: (item.price ?? price).minor,
    quantity: item.quantity,
    productType,
    billingInterval,
    trialDays: item.trialDays ?? null,
    metadata: item.metadata ?? null,
  }
}
