import { givenBack } from '../../modules/subscriptions/given-back.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type TakenBack, takenBackBy } from '../recovery/taken-back.ts'
import { changeOrPark } from './charge-limits.ts'

/**
 * The effect of a change, for the change itself and for its preview. A change that takes back what nobody has paid for yet credits
 * and charges nothing for that. Refuses as the rule does.
 */
export async function decide(
  { sql }: { readonly sql: Sql },
  before: rules.Subscription,
  request: rules.Change,
  now: Date,
): Promise<rules.Changed & { readonly taken: TakenBack | null }> {
  const taken = request.applyImmediately ? await takenBack(sql, before, request, now) : null
  const base = taken?.without.next ?? before
  const changed = changeOrPark(base, request, now, await givenBack(sql, base))
  const isOnlyTakenBack = taken !== null && changed.events.length === 0
  return { ...changed, taken, ...(isOnlyTakenBack && { events: ['subscription.updated'] }) }
}

/** Naming the plan of before, or a quantity or price of before, takes a change back. Another anchor begins something new. */
async function takenBack(
  sql: Sql,
  before: rules.Subscription,
  { plan, price, quantity, anchor, resetAnchor }: rules.Change,
  now: Date,
): Promise<TakenBack | null> {
  if (anchor || resetAnchor) return null
  return takenBackBy(sql, before, { ...rules.scheduledTerms(before, { plan, price, quantity }) }, now)
}
