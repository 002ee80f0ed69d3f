import { Temporal } from 'temporal-polyfill'
import { endOfTime } from './moment.ts'

/** Calendar arithmetic in UTC: a day has 24 hours, a month ends on its last day. */

export const intervals = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** How often a plan is charged: every `intervalCount` of `interval`. */
export interface BillingInterval {
  readonly interval: Interval
  readonly intervalCount: number
}

/** Not negative, in whole units: the result of `parseDuration` for ISO 8601. */
export type Duration = Readonly<
  Partial<Record<'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds', number>>
>

const durationUnit = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const

/** The start of period `n`, always counted from the anchor, so that 31 January does not become the 28th for ever. */
export function cycleStart(anchor: Date, interval: Interval, intervalCount: number, n: number): Date {
  return add(anchor, { [durationUnit[interval]]: intervalCount * n })
}

/** The moment after a duration: years and months first, clamped to the month's end. Null after `endOfTime`. */
export function addDuration(moment: Date, duration: Duration): Date | null {
  try {
    const later = add(moment, duration)
    return later > endOfTime ? null : later
  } catch (error) {
    if (error instanceof RangeError) return null // beyond the range of a calendar date
    throw error
  }
}

const isoDuration =
  /^P(?!$)((?<years>\d{1,9})Y)?((?<months>\d{1,9})M)?((?<weeks>\d{1,9})W)?((?<days>\d{1,9})D)?(T(?!$)((?<hours>\d{1,9})H)?((?<minutes>\d{1,9})M)?((?<seconds>\d{1,9})S)?)?$/

/** Parses an ISO 8601 duration of whole units, such as `P1Y2M3DT4H`. Null for signs, fractions, lower case. */
export function parseDuration(text: string): Duration | null {
  const units = isoDuration.exec(text)?.groups
  if (!units) return null
  return Object.fromEntries(Object.entries(units).map(([unit, digits]) => [unit, Number(digits ?? 0)]))
}

const shortUnit = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const

/** Parses `10s`, `90m` (minutes), `25h`, `30d`, `2w`, or an ISO 8601 duration, of a command line. Else null. */
export function parseTypedDuration(text: string): Duration | null {
  const [, digits, letter] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (digits === undefined) return parseDuration(text)
  return { [shortUnit[letter as keyof typeof shortUnit]]: Number(digits) }
}

export const durationText = (duration: Duration): string => Temporal.Duration.from(duration).toString()

export const dayOfMonth = (moment: Date): number => moment.getUTCDate()

/** The same month and time of day on another day of the month, or on the month's last day. */
export function onDayOfMonth(moment: Date, day: number): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC')
  return new Date(zoned.with({ day }).epochMilliseconds)
}

function add(moment: Date, duration: Duration): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC')
  return new Date(start.add(duration).epochMilliseconds)
}

/** The day that is `days` days after a moment in a time zone (IANA), such as `2026-12-04`. */
export const dayAfter = (moment: Date, days: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days })
    .toString()

/** The end of a day such as `2026-12-04` in a time zone (IANA): the beginning of the next. */
export const endOfDay = (day: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds)
