import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `pending` while it can be canceled, then `queued`, and `processing` once the balance covers it. `processing` waits
 * for the bank, which completes (`refunded`) or refuses it (`failed`). A merchant can cancel a `pending` refund; a
 * `queued` one is canceled only if a dispute took its money.
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
