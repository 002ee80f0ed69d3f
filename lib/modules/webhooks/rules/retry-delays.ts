import { parseMoment } from '../../../kernel/moment.ts'

/** The seconds to wait after each failed attempt: ten attempts in about three days. */
export const waits = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600] as const

/** A receiver can request a wait of at most one day. */
const longestRetryAfter = 24 * 3600

/**
 * Returns the seconds to wait after `failed` failed attempts; null after the last attempt. The wait is the longer of the scheduled wait and Retry-After (at
 * most a day). `chance` (0 to 1) adds up to 10 % of jitter.
 */
export function nextWait(failed: number, chance: number, retryAfterSeconds: number | null): number | null {
  const wait = waits[failed - 1]
  if (wait === undefined) return null
  const asked = Math.min(retryAfterSeconds ?? 0, longestRetryAfter)
  return Math.floor(Math.max(wait, asked) * (1 + chance / 10))
}

/** Parses a number of seconds or an HTTP date (RFC 9110, 10.2.3). Returns null for any other text. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const date = parseHttpDate(value, now)
  return date && Math.max(0, Math.ceil((date.getTime() - now.getTime()) / 1000))
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The three formats of an HTTP date (RFC 9110, 5.6.7). The last two formats are obsolete. */
const httpDates = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

function parseHttpDate(value: string, now: Date): Date | null {
  const {
    day = '',
    month = '',
    year = '',
    time = '',
  } = httpDates.map((form) => form.exec(value)?.groups).find(Boolean) ?? {}
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, '0')
  return parseMoment(`${fullYear(year, now)}-${monthNumber}-${day.trim().padStart(2, '0')}T${time}Z`)
}

/** A two-digit year that seems more than 50 years ahead is in the previous century (RFC 9110, 5.6.7). */
function fullYear(year: string, now: Date): string {
  if (year.length !== 2) return year
  const thisYear = now.getUTCFullYear()
  const inThisCentury = thisYear - (thisYear % 100) + Number(year)
  return String(inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury)
}
