import { shortDay, shortDayAndTime } from '@/components/format.ts'
import { adminLocale } from './text.ts'

/** Formats a day such as `2026-11-29`, or the UTC day of a timestamp, in the reader's language. */
export const dayText = (at: string): string => shortDay(at, adminLocale())

/** Formats a timestamp in UTC to the minute, for messages that name the time zone. */
export const momentText = (at: string): string => shortDayAndTime(at, adminLocale())
