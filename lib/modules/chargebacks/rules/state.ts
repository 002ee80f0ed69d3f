import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * The provider takes the disputed money at once, and returns it if the dispute is `won`. In `requires_amount_review`, the disputed amount exceeds the
 * order total, and an operator must decide.
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
