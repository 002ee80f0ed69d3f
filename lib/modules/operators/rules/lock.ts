/** A typing error or two are free. */
const freeFailures = 5
const longestMs = 15 * 60_000

/**
 * How long an account is locked after so many failed log-ins in a row, in milliseconds: not at all at first, then for a
 * minute, and twice as long with each further one, up to a quarter of an hour. The owner can always wait it out, so an
 * attacker who knows the address cannot lock the account for good; guesses are at most about a hundred a day.
 */
export function lockedForMs(failures: number): number {
  if (failures < freeFailures) return 0
  return Math.min(60_000 * 2 ** (failures - freeFailures), longestMs)
}

export const isLocked = ({ lockedUntil }: { readonly lockedUntil: Date | null }, now: Date): boolean =>
  lockedUntil !== null && now < lockedUntil
