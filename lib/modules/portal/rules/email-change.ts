import { addDuration, type Duration } from '../../../kernel/calendar.ts'

/** A customer's wish for another email address. Moments are on the storefront's clock. */
export interface EmailChange {
  readonly id: string
  readonly customerId: string
  /** The address that the customer had when it was asked for, and the new one; both canonical. */
  readonly from: string
  readonly to: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly confirmedAt: Date | null
  /** When another wish replaced it, or the address was changed in another way. */
  readonly endedAt: Date | null
}

const lifetime: Duration = { minutes: 30 }

/** At most so many for a customer, and for a new address, within the time: a mailbox must not be filled by others. */
export const mostChanges = 3
const changesWithin: Duration = { hours: 1 }

/** The same wish within this time is a form that was sent twice. */
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
 * What a link is at a moment, with the address that the customer has now. It is over as soon as the address is no longer
 * the one that was to be replaced: the merchant may have changed it to shut somebody out.
 */
export function emailChangeState(
  { confirmedAt, endedAt, expiresAt, from }: EmailChange,
  { email, now }: { readonly email: string; readonly now: Date },
): EmailChangeState {
  if (confirmedAt) return 'confirmed'
  return endedAt || now >= expiresAt || email !== from ? 'over' : 'usable'
}

/** Whether a link may be emailed; `made` are the moments of the newest wishes before, the newest first. */
export function mayChangeAgain(made: readonly Date[], now: Date): boolean {
  const oldest = made[mostChanges - 1]
  return !oldest || (addDuration(oldest, changesWithin) ?? now) <= now
}

/** Whether the newest wish is for this address too, and so new that the form was sent twice. */
export const isRepetition = (newest: EmailChange | null, to: string, now: Date): boolean =>
  newest !== null &&
  newest.to === to &&
  newest.confirmedAt === null &&
  newest.endedAt === null &&
  now < (addDuration(newest.createdAt, sameWithin) ?? now)
