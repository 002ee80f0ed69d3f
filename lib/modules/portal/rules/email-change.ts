import { addDuration, type Duration } from '../../../kernel/calendar.ts'

/** Times are on the storefront's clock. */
export interface EmailChange {
  readonly id: string
  readonly customerId: string
  readonly from: string
  readonly to: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly confirmedAt: Date | null
  /** The time at which another request replaced this request, or at which the email address changed for another reason. */
  readonly endedAt: Date | null
}

const lifetime: Duration = { minutes: 30 }

/**
 * The maximum number of requests per hour, for each customer and for each new email address. The limit keeps a person
 * from filling another person's mailbox.
 */
export const mostChanges = 3
const changesWithin: Duration = { hours: 1 }

/** A request for the same email address within this time counts as a repeated submission. */
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
 * `email` is the customer's current email address. The link stops working if this address is no longer `from`, because
 * the merchant may have changed the address to lock somebody out.
 */
export function emailChangeState(
  { confirmedAt, endedAt, expiresAt, from }: EmailChange,
  { email, now }: { readonly email: string; readonly now: Date },
): EmailChangeState {
  if (confirmedAt) return 'confirmed'
  return endedAt || now >= expiresAt || email !== from ? 'over' : 'usable'
}

/** Whether another change may be requested. `made` contains the times of earlier requests, newest first. */
export function mayChangeAgain(made: readonly Date[], now: Date): boolean {
  const oldest = made[mostChanges - 1]
  return !oldest || (addDuration(oldest, changesWithin) ?? now) <= now
}

export const isRepetition = (newest: EmailChange | null, to: string, now: Date): boolean =>
  newest !== null &&
  newest.to === to &&
  newest.confirmedAt === null &&
  newest.endedAt === null &&
  now < (addDuration(newest.createdAt, sameWithin) ?? now)
