import { dayAndTime } from '@/components/format.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'

/** A moment (ISO 8601) in UTC, and with a script in the reader's time zone, which only the browser knows. */
export function LocalTime({ moment, locale }: { moment: string; locale: Locale }) {
  return (
    <time data-local={formatLocale[locale]} dateTime={moment} suppressHydrationWarning>
      {dayAndTime(moment, locale)}
    </time>
  )
}
