import { Temporal } from 'temporal-polyfill'
import { endOfTime } from './moment.ts'

/** All arithmetic in this file is in UTC. A month added to 31 January gives the last day of February. */

export const intervals = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

export interface BillingInterval {
  readonly interval: Interval
  readonly intervalCount: number
}

/** The numbers are whole and never negative. */
export type Duration = Readonly<
  Partial<Record<'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds', number>>
>

const durationUnit = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const

/**
 * Calculates the start of period `n` from the anchor and not from the previous period. A plan anchored on the 31st
 * therefore returns to the 31st after February.
 */
export function cycleStart(anchor: Date, interval: Interval, intervalCount: number, n: number): Date {
  return add(anchor, { [durationUnit[interval]]: intervalCount * n })
}

/**
 * Adds years and months first. If the month is too short for the day, uses the last day of the month. Returns null for
 * a result after `endOfTime`.
 */
export function addDuration(moment: Date, duration: Duration): Date | null {
  try {
    const later = add(moment, duration)
    return later > endOfTime ? null : later
  } catch (error) {
    if (error instanceof RangeError) return null // Temporal throws a RangeError for a date outside its range.
    throw error
  }
}

const isoDuration =
  /^P(?!$)((?<years>\d{1,9})Y)?((?<months>\d{1,9})M)?((?<weeks>\d{1,9})W)?((?<days>\d{1,9})D)?(T(?!$)((?<hours>\d{1,9})H)?((?<minutes>\d{1,9})M)?((?<seconds>\d{1,9})S)?)?$/

/** Parses an ISO 8601 duration such as `P1Y2M3DT4H`. Returns null for signs, fractions, and lower case. */
export function parseDuration(text: string): Duration | null {
  const units = isoDuration.exec(text)?.groups
  if (!units) return null
  return Object.fromEntries(Object.entries(units).map(([unit, digits]) => [unit, Number(digits ?? 0)]))
}

const shortUnit = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const

/** Parses a duration on a command line: `10s`, `90m` (minutes), `25h`, `30d`, `2w`, or ISO 8601. */
export function parseTypedDuration(text: string): Duration | null {
  const [, digits, letter] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (digits === undefined) return parseDuration(text)
  return { [shortUnit[letter as keyof typeof shortUnit]]: Number(digits) }
}

export const durationText = (duration: Duration): string => Temporal.Duration.from(duration).toString()

export const dayOfMonth = (moment: Date): number => moment.getUTCDate()

/**
 * Changes the day of the month and keeps the time of day. If the month is too short for the day, uses the last day of
 * the month.
 */
export function onDayOfMonth(moment: Date, day: number): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC')
  return new Date(zoned.with({ day }).epochMilliseconds)
}

function add(moment: Date, duration: Duration): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC')
  return new Date(start.add(duration).epochMilliseconds)
}

/** The date, such as `2026-12-04`, in a time zone (IANA), `days` days after `moment`. */
export const dayAfter = (moment: Date, days: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days })
    .toString()

/** The first moment after a day such as `2026-12-04` in a time zone (IANA). */
export const endOfDay = (day: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds)
