import { allocateMore, reallocate } from './allocate.ts'
import { type Answer, invalid } from './answer.ts'
import { endDisputed } from './ended-by-dispute.ts'
import { postChargeback } from './ledger.ts'
import { leaveQueue, newCreditNote } from './refunds.ts'
import { type Chargeback, isOpen, totalOf } from './reversal.ts'
import { type Order, recordOrderEvent, type World } from './world.ts'

export function raise(world: World, order: Order, asked: bigint | null, reason: string): Answer {
  if (order.status !== 'paid' || order.total === 0n || order.paidTo === 'helper') return invalid('order')
  const amount = asked ?? order.total
  if (amount <= 0n) return invalid('amount')
  const isTooMuch = amount > order.total
  const chargeback: Chargeback = {
    order,
    amount,
    reason,
    receivedAt: world.now,
    creditNote: null,
    parts: [],
    status: isTooMuch ? 'requires_amount_review' : 'pending',
  }
  if (!isTooMuch) {
    postChargeback.fee(world)
    allocateMore(world, chargeback)
  }
  order.chargebacks.push(chargeback)
  world.chargebacks.push(chargeback)
  recordOrderEvent(order, 'order.chargeback_received')
  endDisputed(world, chargeback, { isReceived: true })
  return { status: 200 }
}

export const chargebackMoves: Partial<Record<Chargeback['status'], readonly Chargeback['status'][]>> = {
  pending: ['evidence_submitted', 'accepted', 'won', 'lost'],
  evidence_submitted: ['won', 'lost'],
  requires_amount_review: ['accepted', 'rejected'],
}

export function moveChargeback(world: World, chargeback: Chargeback, to: Chargeback['status']): Answer {
  const { order, status: from } = chargeback
  if (!chargebackMoves[from]?.includes(to)) return invalid('to')
  if (to === 'accepted' || to === 'lost') {
    cancelUnsentRefunds(world, chargeback)
    if (from === 'requires_amount_review') postChargeback.fee(world)
    allocateMore(world, chargeback)
    postChargeback.credited(world, chargeback)
    chargeback.creditNote = newCreditNote(world)
  }
  chargeback.status = to
  if (to === 'won') postChargeback.won(world, chargeback)
  if (to === 'won' || to === 'rejected') recordOrderEvent(order, 'order.chargeback_reversed')
  reallocate(world, order)
  if (to === 'accepted' || to === 'lost') endDisputed(world, chargeback, { isReceived: false })
  return { status: 200 }
}

/** Cancels unsent refunds, newest first, because the buyer already has the money of the dispute. */
function cancelUnsentRefunds(world: World, chargeback: Chargeback): void {
  let missing = chargeback.amount - totalOf(chargeback)
  for (const refund of chargeback.order.refunds.filter(isOpen).reverse()) {
    if (missing <= 0n) break
    leaveQueue(world, refund)
    missing -= totalOf(refund)
  }
}
