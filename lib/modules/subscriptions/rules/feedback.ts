export const feedbackReasons = ['too_expensive', 'not_used', 'missing_features', 'switched', 'other'] as const
type FeedbackReason = (typeof feedbackReasons)[number]

export interface CancellationFeedback {
  readonly reason: FeedbackReason | null
  readonly comment: string | null
}

export const longestComment = 1000

export function readFeedback(reason: string | null, comment: string | null): CancellationFeedback | null {
  const known = feedbackReasons.find((each) => each === reason) ?? null
  // Replaces lone surrogates and removes NUL characters, because PostgreSQL cannot store them.
  const words = [...(comment ?? '').toWellFormed().replaceAll('\0', '').trim()].slice(0, longestComment).join('')
  return known || words ? { reason: known, comment: words || null } : null
}
