/** Returns the time before which rows are removed; null if rows are stored forever (`days` is 0). */
export const horizonOf = (now: Date, days: number): Date | null =>
  days === 0 ? null : new Date(Math.floor(now.getTime() / 1000) * 1000 - days * 86_400_000)
