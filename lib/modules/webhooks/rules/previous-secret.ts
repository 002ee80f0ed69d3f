const overlapHours = 24

export const signsUntil = (changedAt: Date): Date => new Date(changedAt.getTime() + overlapHours * 3_600_000)

export const isSigning = <Secret extends { readonly until: Date }>(
  previous: Secret | null,
  now: Date,
): previous is Secret => previous !== null && now < previous.until
