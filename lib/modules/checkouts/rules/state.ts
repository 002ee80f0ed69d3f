import { machine, type StateOf } from '../../../kernel/machine.ts'

/** A declined payment leaves the checkout open: until it expires the buyer may try again, cancel, or leave. */
export const checkoutStates = machine({
  created: { pay: 'paid', decline: 'failed', cancel: 'canceled', expire: 'expired' },
  failed: { pay: 'paid', decline: 'failed', cancel: 'canceled', expire: 'expired' },
  paid: {},
  canceled: {},
  expired: {},
})

export type CheckoutStatus = StateOf<typeof checkoutStates>
