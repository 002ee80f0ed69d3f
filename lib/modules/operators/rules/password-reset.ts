const hourMs = 60 * 60_000
/** A mailbox must not be filled by somebody else. */
const mostAnHour = 3

/** The last moment of the link of a password reset; all moments are in real time. */
export const resetExpiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + hourMs)

/** Whether the link of a password reset can be used. */
export const isUsable = (
  { endedAt, expiresAt }: { readonly endedAt: Date | null; readonly expiresAt: Date },
  now: Date,
): boolean => endedAt === null && now < expiresAt

/** Whether another link may be emailed to somebody who was sent links at these moments. */
export const mayAskAgain = (made: readonly Date[], now: Date): boolean =>
  made.filter((at) => now.getTime() - at.getTime() < hourMs).length < mostAnHour
