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

/** The script of a static page. React escapes quotes, ampersands and angle brackets in it, so it has none. */
export const showLocalTimes = `
for (const time of document.querySelectorAll(\`time[data-local]\`))
  time.textContent = new Date(time.dateTime).toLocaleString(time.dataset.local, {
    day: \`numeric\`, month: \`long\`, year: \`numeric\`, hour: \`2-digit\`, minute: \`2-digit\`, timeZoneName: \`short\`,
  })`
