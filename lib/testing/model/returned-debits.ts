import type { Answer } from './answer.ts'
import { moveChargeback, raise } from './chargebacks.ts'
import { postReturned } from './ledger.ts'
import { beginSaleRecovery } from './owed-sale.ts'
import { failed } from './passing-time.ts'
import { leaveQueue } from './refunds.ts'
import { isOpen, reversedOf } from './reversal.ts'
import type { Order, World } from './world.ts'

const failures = {
  AM04: 'insufficient_funds',
  MS03: 'general_failure',
  AC04: 'account_closed',
  MS02: 'mandate_canceled',
} as const
const disputes = { AM05: 'duplicate', MD01: 'fraud', MD06: 'subscription_canceled' } as const
export type ReturnCode = keyof typeof failures | keyof typeof disputes
export const returnCodes = [...Object.keys(failures), ...Object.keys(disputes)] as ReturnCode[]

/**
 * A returned debit creates a chargeback if the bank's code means a dispute, or if a part of the order was already
 * reversed. Otherwise the order must be paid again.
 */
export function returnDebit(world: World, order: Order, code: ReturnCode): Answer {
  if (!(code in failures)) return raise(world, order, null, disputes[code as keyof typeof disputes])
  const reason = failures[code as keyof typeof failures]
  if (reversedOf(order) > 0n) {
    const answer = raise(world, order, null, reason)
    const chargeback = order.chargebacks.at(-1)
    return chargeback && answer.status === 200 ? moveChargeback(world, chargeback, 'lost') : answer
  }
  for (const refund of order.refunds.filter(isOpen).reverse()) leaveQueue(world, refund)
  postReturned(world, order)
  const { paidWith: mandate } = order
  Object.assign(order, { status: 'pending', paidTo: null, paidWith: null, isDebit: false })
  const [subscription] = order.subscriptions
  if (order.isSale || !subscription) beginSaleRecovery(world, order, reason)
  else failed(world, subscription, order, { reason, helped: false, returned: { mandate } })
  return { status: 200 }
}
