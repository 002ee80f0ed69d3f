import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `created`: the provider may not know the payment yet. `open`: the buyer must act at the provider. `pending`: the
 * buyer acted (SEPA). A failed charge can still be collected, if its provider reports a failure first and takes the
 * money later.
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
