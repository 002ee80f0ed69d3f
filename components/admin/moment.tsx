import { formatLocale } from '@/lib/kernel/locale.ts'
import { momentText } from './dates.ts'
import { MinuteHere } from './minute-here.tsx'
import { adminLocale } from './text.ts'

/** A time to the minute. The server writes UTC, and JavaScript replaces it with the reader's time zone. The tooltip has UTC with seconds. */
export const Moment = ({ at, isInSentence = false }: { at: string; isInSentence?: boolean }) => (
  <MinuteHere at={at} isInSentence={isInSentence} locale={formatLocale[adminLocale()]}>
    {`${momentText(at)} UTC`}
  </MinuteHere>
)
