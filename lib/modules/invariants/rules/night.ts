const hour = 2
const dayMs = 86_400_000

/** Returns the next 02:00 UTC, the hour with the fewest sales. */
export function nextNight(after: Date): Date {
  const night = new Date(after)
  night.setUTCHours(hour, 0, 0, 0)
  return night > after ? night : new Date(night.getTime() + dayMs)
}

export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
