import { formatLocale } from '@/lib/kernel/locale.ts'
import { adminLocale } from './text.ts'

const format = (options: Intl.DateTimeFormatOptions, at: string) =>
  new Intl.DateTimeFormat(formatLocale[adminLocale()], { ...options, timeZone: 'UTC' }).format(new Date(at))

/** Formats a day such as `2026-11-29`, or the UTC day of a timestamp, in the reader's language. */
export const dayText = (at: string): string => format({ dateStyle: 'medium' }, at)

/** Formats a timestamp in UTC to the minute, for messages that name the time zone. */
export const momentText = (at: string): string => format({ dateStyle: 'medium', timeStyle: 'short' }, at)
