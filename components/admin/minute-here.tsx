'use client'

import { useSyncExternalStore } from 'react'

const short = { dateStyle: 'medium', timeStyle: 'short' } as const

/** Shows the time in UTC until the browser's time zone is known. `locale` is a BCP 47 tag. */
export function MinuteHere({ at, locale }: { at: string; locale: string }) {
  const inZone = (zone: { timeZone?: string }) =>
    new Intl.DateTimeFormat(locale, { ...short, ...zone }).format(new Date(at))
  const text = useSyncExternalStore(
    staysTheSame,
    () => inZone({}),
    () => `${inZone({ timeZone: 'UTC' })} UTC`,
  )
  return (
    <time className="wide:whitespace-nowrap" dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {text}
    </time>
  )
}

const staysTheSame = () => () => undefined
