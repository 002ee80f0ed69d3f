import { addDuration } from '../../kernel/calendar.ts'
import type { PageQuery } from './paging.ts'

/** The first and the last day of a list as its address has them, and their range. Days are in UTC. */
interface Days {
  readonly from: string | null
  readonly to: string | null
  readonly range: Pick<PageQuery, 'createdAfter' | 'createdBefore'>
}

/** Reads the parameters `from` and `to`, both inclusive. Ignores a value that is not a day such as `2026-11-29`. */
export function days({ from, to }: Readonly<Record<string, string | null | undefined>>): Days {
  const [first, last] = [dayOf(from), dayOf(to)]
  const end = last && addDuration(last, { days: 1 })
  return {
    from: first ? textOf(first) : null,
    to: last ? textOf(last) : null,
    range: { ...(first && { createdAfter: first }), ...(end && { createdBefore: end }) },
  }
}

const textOf = (day: Date): string => day.toISOString().slice(0, 10)

/** Midnight of a day of the calendar. Null for any other text, such as `2026-02-30`. */
function dayOf(text: string | null | undefined): Date | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const day = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(day.getTime()) || textOf(day) !== text ? null : day
}
