/** The statuses of a dispute without a decision. */
export const openStatuses = ['requires_amount_review', 'pending', 'evidence_submitted'] as const
export type OpenStatus = (typeof openStatuses)[number]
