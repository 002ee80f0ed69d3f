'use client'

import { useEffect, useState } from 'react'
import { dayAndTime } from '@/components/format.ts'
import type { Locale } from '@/lib/kernel/locale.ts'

/** A moment (ISO 8601) in UTC, and with a script in the reader's time zone, which only the browser knows. */
export function LocalTime({ moment, locale }: { moment: string; locale: Locale }) {
  const [zone, setZone] = useState('UTC')
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  return <time dateTime={moment}>{dayAndTime(moment, locale, zone)}</time>
}
