import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * `created`: the provider may not know the payment yet. `open`: the buyer must act on the provider's page. `pending`: the buyer acted, and the bank has not
 * confirmed yet (SEPA). A failed charge becomes paid if the provider first reports a failure and later collects the money.
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
