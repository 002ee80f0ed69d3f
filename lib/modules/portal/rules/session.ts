import { isSessionOpen } from '../../../kernel/browser-session.ts'
import { addDuration, type Duration } from '../../../kernel/calendar.ts'

/** A link to the portal, and the browser session that opens when it is redeemed. */
export interface PortalSession {
  readonly id: string
  readonly customerId: string
  /** Where the portal's link back leads; null where there is none. */
  readonly returnUrl: string | null
  /** The end of the link, on the storefront's clock. */
  readonly expiresAt: Date
  readonly createdAt: Date
  /** In real time, as the rest. Null until the link is redeemed. */
  readonly redeemedAt: Date | null
  readonly lastUsedAt: Date | null
  /** When the customer signed out, or an operator ended it. */
  readonly endedAt: Date | null
}

/** A merchant redirects to its link at once (15 minutes, contract); one in an email is opened when the email is read. */
export const linkLifetimes = { merchant: { minutes: 15 }, email: { hours: 24 } } as const satisfies Record<
  string,
  Duration
>
export type LinkLifetime = keyof typeof linkLifetimes

/** An hour without use, and twelve in any case: as long as a person sits at it. */
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

export type LinkState = 'usable' | 'used' | 'expired'

/** What a link is at a moment of the storefront's clock. A used link stays used. */
export function linkState({ redeemedAt, endedAt, expiresAt }: PortalSession, now: Date): LinkState {
  if (redeemedAt) return 'used'
  return endedAt || now >= expiresAt ? 'expired' : 'usable'
}

/** Whether the browser session is open at a moment of real time. */
export const isOpen = ({ redeemedAt, lastUsedAt, endedAt }: PortalSession, now: Date): boolean =>
  isSessionOpen({ startedAt: redeemedAt, lastUsedAt, endedAt }, limits, now)

/** At most so many links are emailed to a customer within the time: a mailbox must not be filled by others. */
export const mostLinks = 3
const linksWithin: Duration = { minutes: 15 }

/** Whether another link may be emailed; `made` are the moments of the newest links, the newest first. */
export function mayAskAgain(made: readonly Date[], now: Date): boolean {
  const oldest = made[mostLinks - 1]
  return !oldest || (addDuration(oldest, linksWithin) ?? now) <= now
}
