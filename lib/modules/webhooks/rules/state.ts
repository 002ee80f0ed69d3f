import { machine, type StateOf } from '../../../kernel/machine.ts'

/** `stopped`: before an attempt succeeded, the endpoint was deleted or responded with 410, or its event was disabled. A re-send starts new attempts. */
export const deliveryStates = machine({
  pending: { deliver: 'delivered', giveUp: 'failed', stop: 'stopped' },
  delivered: { resend: 'pending' },
  failed: { resend: 'pending' },
  stopped: { resend: 'pending' },
})

export type DeliveryStatus = StateOf<typeof deliveryStates>
