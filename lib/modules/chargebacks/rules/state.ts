import { machine, type StateOf } from '../../../kernel/machine.ts'

/**
 * The provider takes the disputed money immediately, and returns it if the dispute is `won`. In
 * `requires_amount_review`, the disputed amount exceeds the order total, and an operator must decide.
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

/** The statuses of a dispute without a decision. */
export const openStatuses = ['requires_amount_review', 'pending', 'evidence_submitted'] as const
export type OpenStatus = (typeof openStatuses)[number]

/** The statuses of a dispute that the buyer's bank can still decide. */
export const statusesAtBank = ['pending', 'evidence_submitted'] as const

/** The statuses of a dispute whose money stays with the buyer. */
export const lostStatuses = ['accepted', 'lost'] as const
