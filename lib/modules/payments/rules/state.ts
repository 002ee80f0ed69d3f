import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `created`: the provider may not know of it yet. `open`: the buyer is to act at the provider. `pending`: the buyer has
 * acted and the outcome is not known (SEPA). The rest are outcomes. A failed charge can still be collected: its provider reported a
 * failure first and took the money later.
 */
const states = machine({
  created: { open: 'open', cancel: 'canceled' },
  open: { wait: 'pending', pay: 'paid', fail: 'failed', cancel: 'canceled', expire: 'expired' },
  pending: { pay: 'paid', fail: 'failed', cancel: 'canceled', expire: 'expired' },
  paid: {},
  failed: { collect: 'paid' },
  canceled: {},
  expired: {},
})

const outcomes = new Set<string>(['paid', 'failed', 'canceled', 'expired'])

export const paymentStates = { ...states, isFinal: (status: PaymentStatus) => outcomes.has(status) }

export type PaymentStatus = StateOf<typeof states>
