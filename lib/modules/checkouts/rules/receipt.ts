import type { Order } from '../../orders/rules/order.ts'
import { type Checkout, isTrial } from './checkout.ts'

export interface BoughtItem {
  readonly name: string
  readonly quantity: number
  /** The charged amount with tax, in minor units of the order's currency; null if the item is in a trial and nothing was charged. */
  readonly total: bigint | null
}

export function boughtItems(
  { lines }: Pick<Checkout, 'lines'>,
  order: { readonly lines: readonly Pick<Order['lines'][number], 'total'>[] },
): BoughtItem[] {
  const billed = lines.filter((line) => !isTrial(line))
  return lines.map((line) => {
    const total = isTrial(line) ? null : (order.lines[billed.indexOf(line)]?.total ?? null)
    return { name: line.name, quantity: line.quantity, total }
  })
}
