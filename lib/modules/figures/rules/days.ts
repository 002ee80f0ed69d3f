/** Figures use UTC days such as 2027-01-31, like the statements of the ledger. */

const dayMs = 86_400_000

export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

export const daysAfter = (day: string, days: number): string => dayOf(new Date(startOf(day).getTime() + days * dayMs))

export const daysBetween = (from: string, to: string): number =>
  Math.round((startOf(to).getTime() - startOf(from).getTime()) / dayMs)

/** Milliseconds after midnight within which a transaction of the previous day can still commit. */
const settleMs = 10 * 60_000

export const lastClosedDay = (now: Date): string => daysAfter(dayOf(new Date(now.getTime() - settleMs)), -1)

export const laterDay = (a: string, b: string): string => (a > b ? a : b)
