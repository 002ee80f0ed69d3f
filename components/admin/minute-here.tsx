'use client'

import { useSyncExternalStore } from 'react'

interface MinuteHereProps {
  at: string
  /** A BCP 47 tag. */
  locale: string
  /**
   * Whether text follows the time in the same sentence. If false, the time keeps the width of the UTC text, so that the
   * page does not shift when the local time appears.
   */
  isInSentence: boolean
  /** The time in UTC, which is shown until the browser's time zone is known. */
  children: string
}

const short = { dateStyle: 'medium', timeStyle: 'short' } as const

export function MinuteHere({ at, locale, isInSentence, children }: MinuteHereProps) {
  const text = useSyncExternalStore(
    staysTheSame,
    () => new Date(at).toLocaleString(locale, short),
    () => children,
  )
  return (
    <time
      className="wide:whitespace-nowrap"
      data-utc={isInSentence ? undefined : children}
      dateTime={at}
      title={`${at.slice(0, 19).replace('T', ' ')} UTC`}
    >
      {text}
    </time>
  )
}

const staysTheSame = () => () => undefined
