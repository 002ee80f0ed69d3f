import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { PlanTerms, Subscription, Terms } from '../../subscriptions/rules/subscription.ts'
import { amountOf, sameTerms, scheduledTerms } from '../../subscriptions/rules/subscription.ts'

export interface PortalChanges {
  readonly quantity: boolean
  readonly planIds: readonly string[]
}

export const plansToSwitchTo = (
  { planIds }: PortalChanges,
  { planId }: Pick<PlanTerms, 'planId'>,
): readonly string[] => (planIds.includes(planId) ? planIds.filter((id) => id !== planId) : [])

export const allowsChange = (allowed: PortalChanges, subscription: Pick<PlanTerms, 'planId'>): boolean =>
  allowed.quantity || plansToSwitchTo(allowed, subscription).length > 0

export interface PortalChoice {
  readonly planId: string
  readonly quantity: number
}

export const allowsChoice = (
  allowed: PortalChanges,
  before: Pick<Terms, 'planId' | 'quantity'>,
  { planId, quantity }: PortalChoice,
): boolean =>
  (quantity === before.quantity || allowed.quantity) &&
  (planId === before.planId || plansToSwitchTo(allowed, before).includes(planId))

/** An increase is charged immediately, and a decrease is scheduled (docs/decisions/0034-changes-in-the-portal.md). */
export type Direction = 'increase' | 'decrease'

export const directionOf = (before: Terms, after: Terms): Direction =>
  amountOf(after) * lengthOf(before.billingInterval) > amountOf(before) * lengthOf(after.billingInterval)
    ? 'increase'
    : 'decrease'

/** Lengths in 1/48 of a day, so that all lengths are integers. A year has 365.25 days and 12 equal months. */
const lengths = { day: 48n, week: 7n * 48n, month: 1461n, year: 12n * 1461n } as const

const lengthOf = ({ interval, intervalCount }: BillingInterval): bigint => lengths[interval] * BigInt(intervalCount)

export type ChangeBlock = 'grace' | 'paused' | 'recovery' | 'owed' | 'suspended' | 'scheduled'

export interface AroundChange {
  readonly isInRecovery: boolean
  readonly owes: boolean
  readonly isSuspended: boolean
}

/** Returns the first reason that blocks a change, or null. For `scheduled`, the customer must first undo the scheduled change. */
export function changeBlock(
  subscription: Subscription,
  { isInRecovery, owes, isSuspended }: AroundChange,
): ChangeBlock | null {
  if (subscription.status === 'on_grace_period') return 'grace'
  if (subscription.status === 'paused') return 'paused'
  if (isInRecovery) return 'recovery'
  if (owes) return 'owed'
  if (isSuspended) return 'suspended'
  return isChanging(subscription) ? 'scheduled' : null
}

function isChanging(subscription: Subscription): boolean {
  const { scheduledUpdate } = subscription
  return scheduledUpdate !== null && !sameTerms(scheduledTerms(subscription, scheduledUpdate), subscription)
}

/**
 * Returns the choice that undoes the scheduled change. Returns null if no change is scheduled, or if the storefront does not permit a return to the current
 * terms.
 */
export function undoScheduled(subscription: Subscription, allowed: PortalChanges): Partial<PortalChoice> | null {
  const { scheduledUpdate, planId, quantity } = subscription
  if (!scheduledUpdate || !isChanging(subscription)) return null
  const { plan } = scheduledUpdate
  const changesQuantity = scheduledUpdate.quantity !== null && scheduledUpdate.quantity !== quantity
  if (!plan && !changesQuantity) return null
  if (changesQuantity && !allowed.quantity) return null
  if (plan && !plansToSwitchTo(allowed, plan).includes(planId)) return null
  return { ...(plan && { planId }), ...(changesQuantity && { quantity }) }
}
