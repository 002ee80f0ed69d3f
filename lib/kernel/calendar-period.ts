import { parseTypedDay } from './typed-day.ts'

/** A year, quarter, or month in UTC. `from` is included, and `until` is excluded. */
export interface Period {
  readonly name: string
  readonly from: Date
  readonly until: Date
}

/** Parses `2026`, `2026-Q4`, or `2026-12`. Returns null for any other text. */
export function periodOf(name: string): Period | null {
  const [, year, quarter, month] = /^(20\d\d)(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/.exec(name) ?? []
  if (year === undefined) return null
  const [first, months] = month ? [Number(month) - 1, 1] : quarter ? [(Number(quarter) - 1) * 3, 3] : [0, 12]
  const at = (months: number) => new Date(Date.UTC(Number(year), months, 1))
  return { name, from: at(first), until: at(first + months) }
}

const mostDays = 366

/**
 * Parses a period, or an inclusive range such as `2026-10-01--2026-12-31` of up to 366 days. Returns null otherwise.
 */
export function rangeOf(name: string): Period | null {
  const [, first, last] = /^(20\d\d-\d\d-\d\d)--(20\d\d-\d\d-\d\d)$/.exec(name) ?? []
  if (first === undefined || last === undefined) return periodOf(name)
  const [begin, end] = [parseTypedDay(first), parseTypedDay(last)]
  if (!begin || !end || begin.start > end.start) return null
  const isTooLong = end.end.getTime() - begin.start.getTime() > mostDays * 86_400_000
  return isTooLong ? null : { name, from: begin.start, until: end.end }
}

/** The months from `last` back to `first`, newest first, such as `2026-12`. Returns at most `most` months. */
export function monthsFrom(first: Date, last: Date, most: number): string[] {
  const ordinal = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
  const count = Math.min(most, ordinal(last) - ordinal(first) + 1)
  return Array.from({ length: Math.max(0, count) }, (_, back) => {
    const month = ordinal(last) - back
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

/** Returns the last day of a period: `2026-Q4` gives `2026-12-31`. Throws if `name` is not a period. */
export function lastDayOf(name: string): string {
  const period = periodOf(name)
  if (!period) throw new RangeError(`Not a period: ${name}`)
  return new Date(period.until.getTime() - 86_400_000).toISOString().slice(0, 10)
}

export const lastDayOfRange = ({ until }: Period): string =>
  new Date(until.getTime() - 86_400_000).toISOString().slice(0, 10)

/** Converts months such as `2026-12` to quarters without duplicates, in the order of the months. */
export const quartersOf = (months: readonly string[]): string[] => [
  ...new Set(months.map((month) => `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`)),
]
