import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `stopped`: no attempt had succeeded when the endpoint was deleted, when the endpoint responded with 410, or when its
 * event was disabled. A re-send starts new attempts.
 */
export const deliveryStates = machine({
  pending: { deliver: 'delivered', giveUp: 'failed', stop: 'stopped' },
  delivered: { resend: 'pending' },
  failed: { resend: 'pending' },
  stopped: { resend: 'pending' },
})

export type DeliveryStatus = StateOf<typeof deliveryStates>
