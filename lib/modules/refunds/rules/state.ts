import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `pending` while it can be canceled; then `queued`, which it leaves in the same moment if the balance covers it, and
 * `processing` while the bank is asked. `refunded` is completed, `failed` was refused by the bank. A merchant cancels a
 * `pending` refund; a `queued` one is canceled only where a dispute has taken its money.
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
