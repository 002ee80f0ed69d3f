import { bookChargeback } from './books.ts'
import { type Chargeback, reverseGross, totalOf } from './reversal.ts'
import type { Order, World } from './world.ts'

/** What open disputes took and could not count so far counts as soon as something is left again, the oldest first. */
export function countOn(world: World, order: Order): void {
  for (const chargeback of order.chargebacks)
    if (chargeback.status === 'pending' || chargeback.status === 'evidence_submitted') countMore(world, chargeback)
}

/** The merchant is charged what counts, and no more. */
export function countMore(world: World, chargeback: Chargeback): void {
  const before = totalOf(chargeback)
  if (before >= chargeback.amount) return
  chargeback.parts = [...chargeback.parts, ...reverseGross(chargeback.order, chargeback.amount - before)]
  bookChargeback.counted(world, totalOf(chargeback) - before)
}
