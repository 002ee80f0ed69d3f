import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * A payout takes its amount from the balance when it is requested, and waits for a bank file; one that somebody made by hand is
 * `paid` from the beginning. What is canceled, or sent back by the bank, is in the balance again.
 */
export const payoutStates = machine({
  requested: { export: 'exported', cancel: 'canceled' },
  exported: { confirm: 'paid', return: 'returned' },
  paid: { return: 'returned' },
  returned: {},
  canceled: {},
})
export type PayoutStatus = StateOf<typeof payoutStates>

/** What staff say of a payout: the bank made it, the bank sent it back, or it is not to be made. */
export const payoutMoves = ['confirm', 'return', 'cancel'] as const
export type PayoutMove = (typeof payoutMoves)[number]
