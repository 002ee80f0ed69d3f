import { postChargeback } from './ledger.ts'
import { type Chargeback, reverseGross, totalOf } from './reversal.ts'
import type { Order, World } from './world.ts'

/**
 * Open disputes take what they could not take so far as soon as part of the order is available again, the oldest first.
 */
export function reallocate(world: World, order: Order): void {
  for (const chargeback of order.chargebacks)
    if (chargeback.status === 'pending' || chargeback.status === 'evidence_submitted') allocateMore(world, chargeback)
}

/** The merchant is charged the allocated amount, and no more. */
export function allocateMore(world: World, chargeback: Chargeback): void {
  const before = totalOf(chargeback)
  if (before >= chargeback.amount) return
  chargeback.parts = [...chargeback.parts, ...reverseGross(chargeback.order, chargeback.amount - before)]
  postChargeback.allocated(world, totalOf(chargeback) - before)
}
