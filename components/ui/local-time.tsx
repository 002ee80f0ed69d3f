import { day, dayAndTime } from '@/components/format.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'
import { MomentHere } from './moment-here.tsx'

interface MomentProps {
  /** ISO 8601. */
  moment: string
  locale: Locale
  /** The time zone in which the server writes the text; UTC by default. If it is the reader's time zone, JavaScript does not change the text. */
  timeZone?: string | null
}

/** The server writes the day in `timeZone`, and JavaScript replaces it with the day in the reader's time zone. */
export function LocalDay({ moment, locale, timeZone }: MomentProps) {
  return (
    <MomentHere className="whitespace-nowrap" isDay locale={formatLocale[locale]} moment={moment}>
      {day(moment, locale, timeZone)}
    </MomentHere>
  )
}

/** The server writes the time in `timeZone`, and JavaScript replaces it with the time in the reader's time zone. */
export function LocalTime({ moment, locale, timeZone }: MomentProps) {
  return (
    <MomentHere locale={formatLocale[locale]} moment={moment}>
      {dayAndTime(moment, locale, timeZone)}
    </MomentHere>
  )
}
