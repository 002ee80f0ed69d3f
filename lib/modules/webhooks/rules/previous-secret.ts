/** How long a replaced secret signs together with the new one. */
const overlapHours = 24

export const signsUntil = (changedAt: Date): Date => new Date(changedAt.getTime() + overlapHours * 3_600_000)

/** Whether a replaced secret still signs: before its end time. */
export const isSigning = <Secret extends { readonly until: Date }>(
  previous: Secret | null,
  now: Date,
): previous is Secret => previous !== null && now < previous.until
