import { day, dayAndTime } from '@/components/format.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'

/** The day of a moment (ISO 8601) in UTC, and with a script in the reader's time zone. */
export function LocalDay({ moment, locale }: { moment: string; locale: Locale }) {
  return (
    <time
      className="whitespace-nowrap"
      data-local={formatLocale[locale]}
      data-part="day"
      dateTime={moment}
      suppressHydrationWarning
    >
      {day(moment, locale)}
    </time>
  )
}

/** A moment (ISO 8601) in UTC, and with a script in the reader's time zone, which only the browser knows. */
export function LocalTime({ moment, locale }: { moment: string; locale: Locale }) {
  return (
    <time data-local={formatLocale[locale]} dateTime={moment} suppressHydrationWarning>
      {dayAndTime(moment, locale)}
    </time>
  )
}
