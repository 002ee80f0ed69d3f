'use client'

import { useSyncExternalStore } from 'react'

const short = { dateStyle: 'medium', timeStyle: 'short' } as const
const inUtc = new Intl.DateTimeFormat('en-GB', { ...short, timeZone: 'UTC' })

/**
 * A time to the minute. The server writes it in UTC, and JavaScript in the reader's time zone. The tooltip has UTC with
 * seconds.
 */
export function Moment({ at }: { at: string }) {
  const text = useSyncExternalStore(
    staysTheSame,
    () => new Intl.DateTimeFormat('en-GB', short).format(new Date(at)),
    () => `${inUtc.format(new Date(at))} UTC`,
  )
  return (
    <time className="wide:whitespace-nowrap" dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {text}
    </time>
  )
}

const staysTheSame = () => () => undefined
