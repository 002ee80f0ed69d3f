import { day, dayAndTime } from '@/components/format.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'
import { MomentHere } from './moment-here.tsx'

interface MomentProps {
  /** ISO 8601. */
  moment: string
  locale: Locale
}

/** The day of a time: the server writes it in UTC, and JavaScript in the reader's time zone. */
export function LocalDay({ moment, locale }: MomentProps) {
  return (
    <MomentHere className="whitespace-nowrap" isDay locale={formatLocale[locale]} moment={moment}>
      {day(moment, locale)}
    </MomentHere>
  )
}

/** A time: the server writes it in UTC, and JavaScript in the reader's time zone. */
export function LocalTime({ moment, locale }: MomentProps) {
  return (
    <MomentHere locale={formatLocale[locale]} moment={moment}>
      {dayAndTime(moment, locale)}
    </MomentHere>
  )
}
