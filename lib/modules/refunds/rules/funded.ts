import { feeOf, neededFor } from '../../ledger/rules/refund.ts'
import type { Refund } from './refund.ts'

/**
 * `sale`: the net amount of the sale, and our fee on it. `before`: the net amount and the fee that earlier refunds
 * returned.
 */
export interface Refunded {
  readonly sale: { readonly subtotal: bigint; readonly fee: bigint }
  readonly before: { readonly subtotal: bigint; readonly feeReturned: bigint }
}

/**
 * Returns the refunds that a balance (in minor units) covers, each with the returned part of our fee. If the balance does not cover a refund, all
 * later refunds wait too, even smaller ones.
 */
export function selectFunded(
  queue: readonly Refund[],
  balance: bigint,
  sales: ReadonlyMap<string, Refunded>,
): Refund[] {
  const known = new Map(sales)
  const going: Refund[] = []
  let left = balance
  for (const refund of queue) {
    const of = known.get(refund.orderId)
    if (!of) throw new Error(`the sale of ${refund.id} is not known`)
    const { sale, before } = of
    const feeReturned = feeOf(refund, sale, before)
    const needed = neededFor({ subtotal: refund.subtotal, feeReturned })
    if (needed > left) break
    left -= needed
    const subtotal = before.subtotal + refund.subtotal
    known.set(refund.orderId, { sale, before: { subtotal, feeReturned: before.feeReturned + feeReturned } })
    going.push({ ...refund, feeReturned })
  }
  return going
}
