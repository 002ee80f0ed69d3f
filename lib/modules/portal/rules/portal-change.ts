import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { PlanTerms, Subscription, Terms } from '../../subscriptions/rules/subscription.ts'
import { amountOf, sameTerms, scheduledTerms } from '../../subscriptions/rules/subscription.ts'

/** The changes that a storefront allows its customers in the portal. */
export interface PortalChanges {
  readonly quantity: boolean
  /** The plans of both modes among which a customer may switch. */
  readonly planIds: readonly string[]
}

/** The plans that a customer on this plan may switch to. Empty if the storefront does not list the customer's plan. */
export const plansToSwitchTo = (
  { planIds }: PortalChanges,
  { planId }: Pick<PlanTerms, 'planId'>,
): readonly string[] => (planIds.includes(planId) ? planIds.filter((id) => id !== planId) : [])

/** Whether a storefront allows any change of a subscription. */
export const allowsChange = (allowed: PortalChanges, subscription: Pick<PlanTerms, 'planId'>): boolean =>
  allowed.quantity || plansToSwitchTo(allowed, subscription).length > 0

/** The plan and quantity that a customer chooses. */
export interface PortalChoice {
  readonly planId: string
  readonly quantity: number
}

/** Whether a storefront allows a choice: each part that differs from the present terms. */
export const allowsChoice = (
  allowed: PortalChanges,
  before: Pick<Terms, 'planId' | 'quantity'>,
  { planId, quantity }: PortalChoice,
): boolean =>
  (quantity === before.quantity || allowed.quantity) &&
  (planId === before.planId || plansToSwitchTo(allowed, before).includes(planId))

/** An increase is charged at once, and a decrease is scheduled (docs/decisions/0034-changes-in-the-portal.md). */
export type Direction = 'increase' | 'decrease'

/** A change to a higher amount per unit of time is an increase. Every other change is a decrease, even if the amount is equal. */
export const directionOf = (before: Terms, after: Terms): Direction =>
  amountOf(after) * lengthOf(before.billingInterval) > amountOf(before) * lengthOf(after.billingInterval)
    ? 'increase'
    : 'decrease'

/** Lengths in forty-eighths of a day. A week has 7 days, a year 365.25 days and 12 equal months. */
const lengths = { day: 48n, week: 7n * 48n, month: 1461n, year: 12n * 1461n } as const

const lengthOf = ({ interval, intervalCount }: BillingInterval): bigint => lengths[interval] * BigInt(intervalCount)

/** Why a subscription cannot be changed now, whatever the customer chooses. */
export type ChangeBlock = 'grace' | 'paused' | 'recovery' | 'owed' | 'suspended' | 'scheduled'

/** The state around a subscription that a change depends on. */
export interface AroundChange {
  /** Whether a declined payment of the subscription is open. */
  readonly isInRecovery: boolean
  /** Whether an order of the subscription waits for its payment. */
  readonly owes: boolean
  /** Whether the storefront is suspended. */
  readonly isSuspended: boolean
}

/** Null if the subscription can be changed. Only one change can be scheduled: the customer must undo it before another change. */
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

/** Whether a scheduled update changes plan, quantity, or price. */
function isChanging(subscription: Subscription): boolean {
  const { scheduledUpdate } = subscription
  return scheduledUpdate !== null && !sameTerms(scheduledTerms(subscription, scheduledUpdate), subscription)
}

/**
 * The change that withdraws the scheduled plan and quantity. Null without them, and if the customer may not choose the
 * present terms: then the merchant has scheduled an update that the customer cannot refuse.
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
