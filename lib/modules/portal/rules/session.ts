import { isSessionOpen } from '../../../kernel/browser-session.ts'
import { addDuration, type Duration } from '../../../kernel/calendar.ts'

export interface PortalSession {
  readonly id: string
  readonly customerId: string
  readonly returnUrl: string | null
  /** The expiry is on the storefront's clock. */
  readonly expiresAt: Date
  readonly createdAt: Date
  /** Null until the link is redeemed. `redeemedAt`, `lastUsedAt`, and `endedAt` are on the real clock. */
  readonly redeemedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly endedAt: Date | null
}

/**
 * A merchant's link expires soon, because the merchant redirects the customer immediately. An emailed link expires
 * later, because customers do not open emails immediately.
 */
export const linkLifetimes = {
  merchant: { minutes: 15 },
  email: { hours: 24 },
  notice: { days: 8 },
} as const satisfies Record<string, Duration>
export type LinkLifetime = keyof typeof linkLifetimes

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

export const isNoticeOver = (sentAt: Date, now: Date): boolean =>
  now >= (addDuration(sentAt, linkLifetimes.notice) ?? now)

export type LinkState = 'usable' | 'used' | 'expired'

/** `now` is on the storefront's clock. */
export function linkState({ redeemedAt, endedAt, expiresAt }: PortalSession, now: Date): LinkState {
  if (redeemedAt) return 'used'
  return endedAt || now >= expiresAt ? 'expired' : 'usable'
}

/** `now` is on the real clock. */
export const isOpen = ({ redeemedAt, lastUsedAt, endedAt }: PortalSession, now: Date): boolean =>
  isSessionOpen({ startedAt: redeemedAt, lastUsedAt, endedAt }, limits, now)

/** A customer can request at most `most` links by email within `withinMs`. The limit keeps a person from filling another person's mailbox. */
export const requestedLinks = { most: 3, withinMs: 15 * 60_000 } as const
