import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `pending` while it can be canceled; then `queued`, which one that the balance covers leaves in the same moment, and `processing`
 * while the bank is asked. `refunded` is done, `failed` refused by the bank. A merchant cancels what is `pending`; what is `queued` is
 * given up only where a dispute has taken its money.
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
