import { addDuration, type Duration } from '../../../kernel/calendar.ts'

/** A customer's request for another email address. Times are on the storefront's clock. */
export interface EmailChange {
  readonly id: string
  readonly customerId: string
  /** The customer's address at the time of the request, and the new address. Both are canonical. */
  readonly from: string
  readonly to: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly confirmedAt: Date | null
  /** The time at which another request replaced this request, or the address changed in another way. */
  readonly endedAt: Date | null
}

const lifetime: Duration = { minutes: 30 }

/** The limit per customer and per new address within `changesWithin`, so that nobody can fill another person's mailbox. */
export const mostChanges = 3
const changesWithin: Duration = { hours: 1 }

/** A repeated request within this time counts as a form that was sent twice. */
const sameWithin: Duration = { minutes: 1 }

export const newEmailChange = (
  change: Pick<EmailChange, 'id' | 'customerId' | 'from' | 'to'>,
  now: Date,
): EmailChange => ({
  ...change,
  createdAt: now,
  expiresAt: addDuration(now, lifetime) ?? now,
  confirmedAt: null,
  endedAt: null,
})

export type EmailChangeState = 'usable' | 'confirmed' | 'over'

/**
 * The state of a link at a time. `email` is the customer's current address. The link is over once this address is no longer the one
 * to replace, because the merchant may have changed the address to shut somebody out.
 */
export function emailChangeState(
  { confirmedAt, endedAt, expiresAt, from }: EmailChange,
  { email, now }: { readonly email: string; readonly now: Date },
): EmailChangeState {
  if (confirmedAt) return 'confirmed'
  return endedAt || now >= expiresAt || email !== from ? 'over' : 'usable'
}

/** Whether a link may be emailed. `made`: the times of earlier requests, newest first. */
export function mayChangeAgain(made: readonly Date[], now: Date): boolean {
  const oldest = made[mostChanges - 1]
  return !oldest || (addDuration(oldest, changesWithin) ?? now) <= now
}

/** Whether the newest request has the same address and is so recent that the form was sent twice. */
export const isRepetition = (newest: EmailChange | null, to: string, now: Date): boolean =>
  newest !== null &&
  newest.to === to &&
  newest.confirmedAt === null &&
  newest.endedAt === null &&
  now < (addDuration(newest.createdAt, sameWithin) ?? now)
