'use client'

import { useSyncExternalStore } from 'react'

interface MinuteHereProps {
  at: string
  /** A BCP 47 tag. */
  locale: string
  /** The time in UTC, which is shown until the browser's time zone is known. */
  children: string
}

const short = { dateStyle: 'medium', timeStyle: 'short' } as const

export function MinuteHere({ at, locale, children }: MinuteHereProps) {
  const text = useSyncExternalStore(
    staysTheSame,
    () => new Date(at).toLocaleString(locale, short),
    () => children,
  )
  return (
    <time className="wide:whitespace-nowrap" dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {text}
    </time>
  )
}

const staysTheSame = () => () => undefined
