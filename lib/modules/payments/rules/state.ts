import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `created`: the provider may not know of it yet. `open`: the buyer is to act at the provider. `pending`: the buyer has
 * acted and the outcome is not known (SEPA). The rest are outcomes.
 */
export const paymentStates = machine({
  created: { open: 'open', cancel: 'canceled' },
  open: { wait: 'pending', pay: 'paid', fail: 'failed', cancel: 'canceled', expire: 'expired' },
  pending: { pay: 'paid', fail: 'failed', cancel: 'canceled', expire: 'expired' },
  paid: {},
  failed: {},
  canceled: {},
  expired: {},
})

export type PaymentStatus = StateOf<typeof paymentStates>
