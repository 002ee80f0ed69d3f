import { isSessionOpen } from '../../../kernel/browser-session.ts'
import { addDuration, type Duration } from '../../../kernel/calendar.ts'

export interface PortalSession {
  readonly id: string
  readonly customerId: string
  readonly returnUrl: string | null
  /** On the storefront's clock. */
  readonly expiresAt: Date
  readonly createdAt: Date
  /** Null until the link is redeemed. This and the following times are real. */
  readonly redeemedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly endedAt: Date | null
}

/** A merchant redirects at once (15 minutes, by contract). Customers open links in emails later. */
export const linkLifetimes = {
  merchant: { minutes: 15 },
  email: { hours: 24 },
  notice: { days: 8 },
} as const satisfies Record<string, Duration>
export type LinkLifetime = keyof typeof linkLifetimes

/** A session ends after one hour without use, and after twelve hours at most. */
const limits = { idleMs: 60 * 60_000, longestMs: 12 * 60 * 60_000 }

export const newSession = (
  session: Pick<PortalSession, 'id' | 'customerId' | 'returnUrl'>,
  lifetime: LinkLifetime,
  now: Date,
): PortalSession => ({
  ...session,
  expiresAt: addDuration(now, linkLifetimes[lifetime]) ?? now,
  createdAt: now,
  redeemedAt: null,
  lastUsedAt: null,
  endedAt: null,
})

/** Both times are on the storefront's clock. */
export const isNoticeOver = (sentAt: Date, now: Date): boolean =>
  now >= (addDuration(sentAt, linkLifetimes.notice) ?? now)

export type LinkState = 'usable' | 'used' | 'expired'

/** On the storefront's clock. A used link stays used. */
export function linkState({ redeemedAt, endedAt, expiresAt }: PortalSession, now: Date): LinkState {
  if (redeemedAt) return 'used'
  return endedAt || now >= expiresAt ? 'expired' : 'usable'
}

/** In real time. */
export const isOpen = ({ redeemedAt, lastUsedAt, endedAt }: PortalSession, now: Date): boolean =>
  isSessionOpen({ startedAt: redeemedAt, lastUsedAt, endedAt }, limits, now)

/** Per customer within `linksWithin`, so that nobody can fill another person's mailbox. */
export const mostLinks = 3
const linksWithin: Duration = { minutes: 15 }

/** `made`: the creation times of the newest links, newest first. */
export function mayAskAgain(made: readonly Date[], now: Date): boolean {
  const oldest = made[mostLinks - 1]
  return !oldest || (addDuration(oldest, linksWithin) ?? now) <= now
}
