import { toWire } from '../../kernel/moment.ts'
import { type FieldErrors, invalid, type Refusal } from '../../kernel/refusal.ts'
import { lastEventAt } from '../../modules/events/last-event.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

type Where = Tenant & { readonly sql: Sql }

const mostHours = 1

/**
 * A time has whole seconds, so a change of the subscription in the second of `asOf` can be earlier or later than the
 * preview. Such a change is accepted only if the caller compares the amounts with the preview (`isCompared`). The
 * `asOf` of a returned preview (`isReturned`) can be later than `now`.
 */
export async function asOfProblem(
  { sql, ...tenant }: Where,
  { id }: rules.Subscription,
  asOf: Date,
  { now, isCompared, isReturned = false }: { now: Date; isCompared: boolean; isReturned?: boolean },
): Promise<FieldErrors> {
  const refused = (sentence: string) => ({ asOf: [sentence] })
  if (asOf > now && !isReturned) return refused(`Must not be in the future: it is ${toWire(now)}.`)
  const oldest = new Date(now.getTime() - mostHours * 3_600_000)
  if (asOf < oldest) return refused(`Must be at most one hour old: not before ${toWire(oldest)}.`)
  const changedAt = await lastEventAt(sql, tenant, id)
  if (!changedAt || asOf > changedAt) return {}
  if (asOf < changedAt)
    return refused(`Must not be before the last change of the subscription, ${toWire(changedAt)}. ${previewAgain}`)
  return isCompared
    ? {}
    : refused(`Must be after the last change of the subscription, ${toWire(changedAt)}. ${previewAgain}`)
}

const previewAgain = 'Preview the change again.'

export const amountsChanged = (): Refusal =>
  invalid('asOf', `The amounts have changed since the preview. ${previewAgain}`)
