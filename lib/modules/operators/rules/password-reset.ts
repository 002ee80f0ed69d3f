const hourMs = 60 * 60_000
/** Limits the links per hour, so that nobody can fill another person's mailbox. */
const mostAnHour = 3

/** The time at which the link of a password reset expires. All times are real, not of a test clock. */
export const resetExpiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + hourMs)

/** Whether the link of a password reset can be used. */
export const isUsable = (
  { endedAt, expiresAt }: { readonly endedAt: Date | null; readonly expiresAt: Date },
  now: Date,
): boolean => endedAt === null && now < expiresAt

/** Whether another link may be emailed to a person who got links at these times. */
export const mayAskAgain = (made: readonly Date[], now: Date): boolean =>
  made.filter((at) => now.getTime() - at.getTime() < hourMs).length < mostAnHour
