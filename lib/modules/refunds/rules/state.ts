import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `pending`: the merchant can cancel the refund. `queued`: the refund waits for the balance, and is canceled if a dispute or a returned debit took its money.
 * `processing`: the bank completes (`refunded`) or refuses (`failed`) the refund.
 */
export const refundStates = machine({
  pending: { cancel: 'canceled', queue: 'queued' },
  queued: { cancel: 'canceled', process: 'processing' },
  processing: { complete: 'refunded', fail: 'failed' },
  refunded: {},
  failed: {},
  canceled: {},
})
export type RefundStatus = StateOf<typeof refundStates>
