/** How many subscriptions ran at the beginning of a month, and how many began and ended in it. */
export interface MonthOfSubscriptions {
  /** Such as 2027-01, in UTC. */
  readonly month: string
  readonly atBeginning: number
  readonly started: number
  readonly ended: number
  /** The share of the subscriptions at the beginning that ended, from 0 to 1; null if there were none. */
  readonly churn: number | null
}

/** The month of a time in UTC, such as 2027-01. */
const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7)

/** The `count` months up to the month of a time, oldest first. */
export function monthsUpTo(moment: Date, count: number): string[] {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()]
  return Array.from({ length: count }, (_, index) => monthOf(new Date(Date.UTC(year, month - count + 1 + index, 1))))
}

/**
 * Counts back from the subscriptions that run now. `started`, `ended`, and `lost` are counts by month. `lost` excludes
 * subscriptions that began in the month of their end.
 */
export function subscriptionsByMonth(
  months: readonly string[],
  {
    running,
    started,
    ended,
    lost,
  }: {
    running: number
    started: ReadonlyMap<string, number>
    ended: ReadonlyMap<string, number>
    lost: ReadonlyMap<string, number>
  },
): MonthOfSubscriptions[] {
  let after = running
  return months
    .toReversed()
    .map((month) => {
      const [begun, over] = [started.get(month) ?? 0, ended.get(month) ?? 0]
      const atBeginning = after - begun + over
      after = atBeginning
      const churn = atBeginning > 0 ? (lost.get(month) ?? 0) / atBeginning : null
      return { month, atBeginning, started: begun, ended: over, churn }
    })
    .toReversed()
}
