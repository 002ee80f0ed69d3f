import { invalid, Refusal } from '../../kernel/refusal.ts'
import { portalChangesOf } from '../../modules/accounts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { PortalNotice } from '../../modules/portal/page.ts'
import { type PortalChoice, undoScheduled } from '../../modules/portal/rules/portal-change.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import { db } from '../../platform/db/db.ts'
import { isFormKey } from '../../platform/http/form-key.ts'
import { oncePerForm } from '../../platform/http/form-once.ts'
import { learnLimits } from '../subscription-change/charge-limits.ts'
import { change } from '../subscription-change/operations.ts'
import {
  allowedChanges,
  blockOf,
  changeRequest,
  choiceIn,
  chosenChange,
  isAllowed,
  momentIn,
  readChoice,
  scheduledVersion,
  seenTerms,
} from './change.ts'
import { type Entered, enter, noticed } from './enter.ts'
import { subscriptionOf } from './own-subscription.ts'

const stale = () => invalid('terms', 'The effect of the change is no longer as shown. Check the new preview.')

/**
 * Makes the change as of the time at which the page computed its preview, so that the charge equals the displayed amount. Returns null if no session is
 * open.
 */
export async function submitChange(
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const subscription = await subscriptionOf(entered, id)
  if (!subscription) return { redirectTo: '/portal' }
  const page = `/portal/subscriptions/${id}`
  const typed = choiceIn(form, subscription)
  const again = (more: Record<string, string> = {}) => ({
    redirectTo: `${page}/change?${new URLSearchParams({ plan: typed.planId, quantity: typed.quantity, ...more })}`,
  })
  const [choice, seen, formKey] = [readChoice(typed), form.get('terms') ?? '', form.get('key')]
  const at = momentIn(seen)
  if (!choice || !at || !isFormKey(formKey)) return again()
  await learnLimits(subscription)
  try {
    const where = { ...entered.tenant, sql: db() }
    const { direction, body } = await chosenChange(where, subscription, choice, { at, now: entered.now })
    const notice: PortalNotice = direction === 'increase' ? 'changed' : 'scheduled'
    const shown = await oncePerForm(
      {
        tenant: entered.tenant,
        path: `${page}/change`,
        key: `portal ${entered.session.id} ${formKey}`,
        content: [choice, seen],
        word: () => notice,
      },
      (context) => change(context, id, body, agreedTo({ choice, seen, at })),
    )
    return { redirectTo: noticed(page, shown) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return again({ changed: '' })
  }
}

/** Runs while the subscription is locked. Refuses if the effect of the change is no longer the effect that the page showed. */
const agreedTo =
  ({ choice, seen, at }: { choice: PortalChoice; seen: string; at: Date }) =>
  async (tx: Transaction, locked: rules.Subscription) => {
    const allowed = await allowedChanges(tx.sql, locked, tx)
    const typed = { planId: choice.planId, quantity: String(choice.quantity) }
    if (!allowed || !isAllowed(allowed, locked, typed) || (await blockOf(tx, locked))) throw stale()
    const now = await chosenChange(tx, locked, choice, { at, now: tx.now })
    if (now.problem || seenTerms(at, now) !== seen) throw stale()
    return { at, decided: now.decided }
  }

/**
 * Undoes the scheduled change. Returns `unchanged`, without any effect, if the page showed a different scheduled
 * change. Each displayed form takes effect at most once.
 */
export async function undoChange(
  { tenant, session }: Entered,
  subscription: rules.Subscription,
  form: URLSearchParams,
): Promise<PortalNotice> {
  const [formKey, seen] = [form.get('key'), form.get('scheduled') ?? '']
  if (!isFormKey(formKey)) return 'unchanged'
  const { id } = subscription
  const agreed = async (tx: Transaction, locked: rules.Subscription) => {
    const allowed = await portalChangesOf(tx.sql, tx.storefrontId)
    if (scheduledVersion(locked) !== seen || !undoScheduled(locked, allowed)) throw stale()
    return { at: tx.now, decided: null }
  }
  try {
    return await oncePerForm(
      {
        tenant,
        path: `/portal/subscriptions/${id}/undo`,
        key: `portal ${session.id} ${formKey}`,
        content: seen,
        word: (): PortalNotice => 'undone',
      },
      async (context) => {
        const terms = undoScheduled(subscription, await portalChangesOf(db(), tenant.storefrontId))
        if (!terms) throw stale()
        const { planId, quantity } = terms
        const asked = changeRequest({ ...(planId && { subscriptionPlanId: planId }), ...(quantity && { quantity }) })
        return change(context, id, asked, agreed)
      },
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return 'unchanged'
  }
}
