import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * A requested payout is deducted from the balance and waits for a bank file. A manual payout starts as `paid`. A canceled or returned payout is added to the
 * balance.
 */
export const payoutStates = machine({
  requested: { export: 'exported', cancel: 'canceled' },
  exported: { confirm: 'paid', return: 'returned' },
  paid: { return: 'returned' },
  returned: {},
  canceled: {},
})
export type PayoutStatus = StateOf<typeof payoutStates>

/** The changes of status that staff can make. `confirm`: the bank made the payout. `return`: the bank sent the money back. `cancel`: the payout is not made. */
export const payoutMoves = ['confirm', 'return', 'cancel'] as const
export type PayoutMove = (typeof payoutMoves)[number]
