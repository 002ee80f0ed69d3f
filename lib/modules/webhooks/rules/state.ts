import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `stopped`: before the delivery, the endpoint was deleted, responded with 410, or no longer wanted events of this
 * name. A re-send begins again.
 */
export const deliveryStates = machine({
  pending: { deliver: 'delivered', giveUp: 'failed', stop: 'stopped' },
  delivered: { resend: 'pending' },
  failed: { resend: 'pending' },
  stopped: { resend: 'pending' },
})

export type DeliveryStatus = StateOf<typeof deliveryStates>
