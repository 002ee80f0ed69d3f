import { day, dayAndTime } from '@/components/format.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'
import { MomentHere } from './moment-here.tsx'

interface MomentProps {
  /** ISO 8601. */
  moment: string
  locale: Locale
}

/** The server writes the day in UTC, and JavaScript replaces it with the day in the reader's time zone. */
export function LocalDay({ moment, locale }: MomentProps) {
  return (
    <MomentHere className="whitespace-nowrap" isDay locale={formatLocale[locale]} moment={moment}>
      {day(moment, locale)}
    </MomentHere>
  )
}

/** The server writes the time in UTC, and JavaScript replaces it with the time in the reader's time zone. */
export function LocalTime({ moment, locale }: MomentProps) {
  return (
    <MomentHere locale={formatLocale[locale]} moment={moment}>
      {dayAndTime(moment, locale)}
    </MomentHere>
  )
}
