const hourMs = 60 * 60_000
/** The limit keeps a person from filling another person's mailbox. */
const mostAnHour = 3

export const resetExpiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + hourMs)

export const isUsable = (
  { endedAt, expiresAt }: { readonly endedAt: Date | null; readonly expiresAt: Date },
  now: Date,
): boolean => endedAt === null && now < expiresAt

/** `made`: the creation times of earlier links. */
export const mayAskAgain = (made: readonly Date[], now: Date): boolean =>
  made.filter((at) => now.getTime() - at.getTime() < hourMs).length < mostAnHour
