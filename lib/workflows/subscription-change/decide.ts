import { givenBack } from '../../modules/subscriptions/given-back.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type TakenBack, takenBackBy } from '../recovery/taken-back.ts'
import { changeOrPark } from './charge-limits.ts'

export interface Decided extends rules.Changed {
  readonly taken: TakenBack | null
}

/** A change that restores former terms cancels unpaid changes. Canceled changes are neither credited nor charged. Refuses like `rules.change`. */
export async function decide(
  { sql }: { readonly sql: Sql },
  before: rules.Subscription,
  request: rules.Change,
  now: Date,
): Promise<Decided> {
  const taken = request.applyImmediately ? await takenBack(sql, before, request, now) : null
  const base = taken?.without.next ?? before
  const changed = changeOrPark(base, request, now, await givenBack(sql, base))
  const isOnlyTakenBack = taken !== null && changed.events.length === 0
  return { ...changed, taken, ...(isOnlyTakenBack && { events: ['subscription.updated'] }) }
}

/** Finds the unpaid changes that the request reverses by restoring the former plan, quantity, or price. A new anchor reverses nothing. */
async function takenBack(
  sql: Sql,
  before: rules.Subscription,
  { plan, price, quantity, anchor, resetAnchor }: rules.Change,
  now: Date,
): Promise<TakenBack | null> {
  if (anchor || resetAnchor) return null
  return takenBackBy(sql, before, { ...rules.scheduledTerms(before, { plan, price, quantity }) }, now)
}
