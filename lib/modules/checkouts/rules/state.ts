import { machine, type StateOf } from '../../../kernel/machine.ts'

/** A declined payment does not close the checkout: the buyer can pay again or cancel until the checkout expires. */
export const checkoutStates = machine({
  created: { pay: 'paid', decline: 'failed', cancel: 'canceled', expire: 'expired' },
  failed: { pay: 'paid', decline: 'failed', cancel: 'canceled', expire: 'expired' },
  paid: {},
  canceled: {},
  expired: {},
})

export type CheckoutStatus = StateOf<typeof checkoutStates>
