'use client'

import { useSyncExternalStore } from 'react'

interface MomentHereProps {
  /** ISO 8601. */
  moment: string
  /** A BCP 47 tag. */
  locale: string
  isDay?: boolean
  className?: string
  children: string
}

const date = { day: 'numeric', month: 'long', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

export function MomentHere({ moment, locale, isDay = false, className, children }: MomentHereProps) {
  const text = useSyncExternalStore(
    staysTheSame,
    () => new Date(moment).toLocaleString(locale, isDay ? date : { ...date, ...clock }),
    () => children,
  )
  return (
    <time className={className} dateTime={moment}>
      {text}
    </time>
  )
}

const staysTheSame = () => () => undefined
