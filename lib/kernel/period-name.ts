import { monthAndYear } from './format.ts'
import type { Locale } from './locale.ts'

/** Formats a quarter in the reader's language, for example as `Q4 2026`. */
type QuarterText = (values: { quarter: string; year: string }) => string

/** The name of a month such as `2026-11`, or of a quarter such as `2026-Q4`. Other periods, such as years, stay unchanged. */
export function periodName(period: string, locale: Locale, quarterText: QuarterText): string {
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(period) ?? []
  if (year && quarter) return quarterText({ quarter, year })
  if (!/^\d{4}-\d{2}$/.test(period)) return period
  return monthAndYear(`${period}-01`, locale)
}
