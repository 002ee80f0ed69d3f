import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * A requested payout takes its amount from the balance and waits for a bank file. A manual payout is `paid` from the beginning. The
 * amount of a canceled or returned payout is in the balance again.
 */
export const payoutStates = machine({
  requested: { export: 'exported', cancel: 'canceled' },
  exported: { confirm: 'paid', return: 'returned' },
  paid: { return: 'returned' },
  returned: {},
  canceled: {},
})
export type PayoutStatus = StateOf<typeof payoutStates>

/** The moves of staff: the bank made the payout, the bank sent it back, or it must not be made. */
export const payoutMoves = ['confirm', 'return', 'cancel'] as const
export type PayoutMove = (typeof payoutMoves)[number]
