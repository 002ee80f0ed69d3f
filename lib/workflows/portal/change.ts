import { toWire } from '../../kernel/moment.ts'
import { portalChangesOf, sellingOf } from '../../modules/accounts/store.ts'
import { ordersOwedBy } from '../../modules/orders/owed-sale.ts'
import type { PortalChangeProblem } from '../../modules/portal/page.ts'
import {
  allowsChange,
  allowsChoice,
  type ChangeBlock,
  changeBlock,
  type Direction,
  directionOf,
  type PortalChanges,
  type PortalChoice,
} from '../../modules/portal/rules/portal-change.ts'
import { recoveriesOwedBy } from '../../modules/recovery/store.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Sql } from '../../platform/db/db.ts'
import { asOfProblem } from '../subscription-change/as-of.ts'
import type { Decided } from '../subscription-change/decide.ts'
import { amountsOf, type WirePreview, wirePreview } from '../subscription-change/preview.ts'
import { type ChangeBody, type Resolved, resolveAt } from '../subscription-change/resolve.ts'

type Where = Tenant & { readonly sql: Sql }

export async function allowedChanges(sql: Sql, subscription: rules.Subscription, { storefrontId }: Tenant) {
  const allowed = await portalChangesOf(sql, storefrontId)
  return rules.isOngoing(subscription) && allowsChange(allowed, subscription) ? allowed : null
}

export async function blockOf(
  { sql, ...tenant }: Where,
  subscription: rules.Subscription,
): Promise<ChangeBlock | null> {
  return changeBlock(subscription, {
    isInRecovery: (await recoveriesOwedBy(sql, subscription.id)).length > 0,
    owes: (await ordersOwedBy(sql, subscription.id)).length > 0,
    isSuspended: (await sellingOf(sql, tenant)).isSuspended,
  })
}

export const choiceIn = (form: URLSearchParams, { planId, quantity }: rules.Subscription) => ({
  planId: form.get('plan') || planId,
  quantity: (form.get('quantity') ?? String(quantity)).trim().slice(0, 20),
})

export const readChoice = ({ planId, quantity }: ReturnType<typeof choiceIn>): PortalChoice | null =>
  /^[1-9]\d{0,5}$/.test(quantity) ? { planId, quantity: Number(quantity) } : null

/** Whether the portal allows the chosen plan and quantity. An invalid quantity counts as a changed quantity. */
export const isAllowed = (
  allowed: PortalChanges,
  subscription: rules.Subscription,
  typed: ReturnType<typeof choiceIn>,
): boolean => {
  const choice = readChoice(typed)
  const quantity = choice?.quantity ?? (typed.quantity === String(subscription.quantity) ? subscription.quantity : 0)
  return allowsChoice(allowed, subscription, { planId: typed.planId, quantity })
}

export interface ChosenChange {
  readonly direction: Direction
  readonly body: ChangeBody
  readonly preview: WirePreview
  /** Null if a rule refuses the change. */
  readonly decided: Decided | null
  readonly problem: PortalChangeProblem | null
  readonly name: string
  /** The version changes when any value on the page changes. */
  readonly version: string
}

export const changeRequest = (of: Partial<ChangeBody>): ChangeBody => ({
  prorate: true,
  applyImmediately: false,
  invoiceImmediately: false,
  resetAnchor: false,
  ...of,
})

/**
 * Computes the change that the customer chose. An increase is charged immediately, and a decrease starts with the next
 * renewal. Call `learnLimits` before the transaction.
 */
export async function chosenChange(
  where: Where,
  subscription: rules.Subscription,
  { planId, quantity }: PortalChoice,
  { at, now }: { at: Date; now: Date },
): Promise<ChosenChange> {
  const terms = {
    ...(planId !== subscription.planId && { subscriptionPlanId: planId }),
    ...(quantity !== subscription.quantity && { quantity }),
  }
  const shown = { at, now, isDated: true }
  const { asked } = await resolveAt(where, subscription, changeRequest(terms), shown)
  const after = rules.scheduledTerms(subscription, asked)
  const direction = directionOf(subscription, after)
  const body = changeRequest({
    ...terms,
    ...(direction === 'increase' && { applyImmediately: true, invoiceImmediately: true }),
  })
  const chosen = await resolveAt(where, subscription, body, shown)
  const late = await asOfProblem(where, subscription, at, { now, isCompared: true })
  const resolved = { ...chosen, problems: { ...chosen.problems, ...late } }
  const { preview, decided } = await wirePreview(where, subscription, resolved)
  const isPlanGone = terms.subscriptionPlanId !== undefined && asked.plan === null
  return {
    direction,
    body,
    preview,
    decided,
    problem: problemOf(subscription, { isSame: Object.keys(terms).length === 0, isPlanGone, resolved, preview }),
    name: after.name,
    version: versionOf([direction, planId, quantity, amountsOf(preview)]),
  }
}

function problemOf(
  { mandate }: rules.Subscription,
  {
    isSame,
    isPlanGone,
    resolved: { problems },
    preview: { refusal, dueNow },
  }: { isSame: boolean; isPlanGone: boolean; resolved: Pick<Resolved, 'problems'>; preview: WirePreview },
): PortalChangeProblem | null {
  if (isSame) return 'same'
  if (isPlanGone) return 'planGone'
  if (!refusal) return dueNow && Number(dueNow.total.value) > 0 && !mandate ? 'noMethod' : null
  if (refusal.code === 'too_many_charges') return 'tooMany'
  const { applyImmediately } = refusal.errors ?? {}
  if (applyImmediately?.includes(rules.creditExceedsCharge)) return 'credit'
  return problems.quantity || problems.subscriptionPlanId || applyImmediately ? 'amount' : 'notNow'
}

export const seenTerms = (at: Date, { version }: ChosenChange): string => `${toWire(at)} ${version}`

export function momentIn(seen: string): Date | null {
  const [text = ''] = seen.split(' ')
  const at = new Date(text)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(at.getTime()) ? at : null
}

export const scheduledVersion = ({ scheduledUpdate, planId, quantity }: rules.Subscription): string =>
  versionOf([scheduledUpdate, planId, quantity])
