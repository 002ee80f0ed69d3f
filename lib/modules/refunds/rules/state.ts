import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * A refund is `pending` while it can be canceled. Then it is `queued`, and at once `processing` if the balance covers
 * it. `processing` waits for the bank. `refunded` is complete, and `failed` was refused by the bank. A merchant can
 * cancel a `pending` refund. A `queued` refund is canceled only if a dispute took its money.
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
