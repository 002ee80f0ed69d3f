import { machine, type StateOf } from '../../kernel/machine.ts'

/** `stopped`: the endpoint was deleted, or said 410, before the event was delivered. A re-send begins again. */
export const deliveryStates = machine({
  pending: { deliver: 'delivered', giveUp: 'failed', stop: 'stopped' },
  delivered: { resend: 'pending' },
  failed: { resend: 'pending' },
  stopped: { resend: 'pending' },
})

export type DeliveryStatus = StateOf<typeof deliveryStates>
