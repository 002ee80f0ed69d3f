/** Days in UTC, such as 2027-01-31. Statements use the same days. */

const dayMs = 86_400_000

export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** The first moment of a day. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The day that is `days` days later. A negative number returns an earlier day. */
export const daysAfter = (day: string, days: number): string => dayOf(new Date(startOf(day).getTime() + days * dayMs))

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((startOf(to).getTime() - startOf(from).getTime()) / dayMs)

/** How long after midnight a transaction of the day before may still commit. */
const settleMs = 10 * 60_000

/** The last day that is complete at a moment. */
export const lastClosedDay = (now: Date): string => daysAfter(dayOf(new Date(now.getTime() - settleMs)), -1)

/** The later of two days. */
export const laterDay = (a: string, b: string): string => (a > b ? a : b)
