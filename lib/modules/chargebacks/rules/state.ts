import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * The money of a disputed payment is gone from the start, and comes back when the dispute is `won`.
 * `requires_amount_review`: the provider disputes more than was sold; nothing is allocated until an operator has
 * decided.
 */
export const chargebackStates = machine({
  pending: { evidence_submitted: 'evidence_submitted', accepted: 'accepted', won: 'won', lost: 'lost' },
  evidence_submitted: { won: 'won', lost: 'lost' },
  requires_amount_review: { accepted: 'accepted', rejected: 'rejected' },
  accepted: {},
  rejected: {},
  won: {},
  lost: {},
})
export type ChargebackStatus = StateOf<typeof chargebackStates>
