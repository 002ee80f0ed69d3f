import { postChargeback } from './ledger.ts'
import { type Chargeback, reverseGross, totalOf } from './reversal.ts'
import type { Order, World } from './world.ts'

/** When part of an order becomes available again, open disputes take their missing amounts, oldest first. */
export function reallocate(world: World, order: Order): void {
  for (const chargeback of order.chargebacks)
    if (chargeback.status === 'pending' || chargeback.status === 'evidence_submitted') allocateMore(world, chargeback)
}

/** The merchant is charged only the allocated amount. */
export function allocateMore(world: World, chargeback: Chargeback): void {
  const before = totalOf(chargeback)
  if (before >= chargeback.amount) return
  chargeback.parts = [...chargeback.parts, ...reverseGross(chargeback.order, chargeback.amount - before)]
  postChargeback.allocated(world, totalOf(chargeback) - before)
}
