import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `pending`: the merchant can cancel the refund. `queued`: the refund waits until the balance covers it. `processing`:
 * the bank completes (`refunded`) or refuses (`failed`) the refund. A chargeback or a returned debit can cancel a
 * `pending` or `queued` refund.
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
