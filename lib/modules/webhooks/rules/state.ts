import { machine, type StateOf } from '../../../kernel/machine.ts'

/** `stopped`: before an attempt succeeded, the endpoint was deleted, responded with 410, or disabled the event. A re-send starts a new series of attempts. */
export const deliveryStates = machine({
  pending: { deliver: 'delivered', giveUp: 'failed', stop: 'stopped' },
  delivered: { resend: 'pending' },
  failed: { resend: 'pending' },
  stopped: { resend: 'pending' },
})

export type DeliveryStatus = StateOf<typeof deliveryStates>
