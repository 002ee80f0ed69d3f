import { postChargeback } from './ledger.ts'
import { type Chargeback, reverseGross, totalOf } from './reversal.ts'
import type { Order, World } from './world.ts'

/** Allocates the remaining amount of the order to its open disputes, oldest dispute first. */
export function reallocate(world: World, order: Order): void {
  for (const chargeback of order.chargebacks)
    if (chargeback.status === 'pending' || chargeback.status === 'evidence_submitted') allocateMore(world, chargeback)
}

/**
 * Allocates the part of the disputed amount that is not allocated yet, up to the remaining amount of the order. The
 * merchant is charged only the allocated amount.
 */
export function allocateMore(world: World, chargeback: Chargeback): void {
  const before = totalOf(chargeback)
  if (before >= chargeback.amount) return
  chargeback.parts = [...chargeback.parts, ...reverseGross(chargeback.order, chargeback.amount - before)]
  postChargeback.allocated(world, totalOf(chargeback) - before)
}
