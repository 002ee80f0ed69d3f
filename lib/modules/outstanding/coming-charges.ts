import { type Amount, amount, parseMoney } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { sellingOf } from '../accounts/store.ts'
import { heldByRecovery } from '../recovery/store.ts'
import { type ChargesAfterDebt, chargesAfterDebt, nextChargeView } from '../subscriptions/next-charge.ts'
import { nextRenewalAt, type Subscription } from '../subscriptions/rules/index.ts'

/**
 * Renewals wait until an outstanding payment succeeds or, if `isSuspended` is true, until the storefront can sell
 * again.
 */
export interface HeldBack {
  readonly isSuspended: boolean
}

export async function heldBackBy(sql: Sql, tenant: Tenant, subscriptionId: string): Promise<HeldBack | null> {
  const { isSuspended } = await sellingOf(sql, tenant)
  const isHeldBack = isSuspended || (await heldByRecovery(sql, [subscriptionId])).size > 0
  return isHeldBack ? { isSuspended } : null
}

interface Charges extends ChargesAfterDebt {
  /** Whether the date of the next renewal is unknown because the storefront cannot sell. */
  readonly isHeld: boolean
}

export function chargesOf(subscription: Subscription, heldBack: HeldBack | null, now: Date): Charges {
  if (!heldBack) return { waiting: null, nextCharge: nextChargeView(subscription, now), isHeld: false }
  const { waiting, nextCharge } = chargesAfterDebt(subscription, { now, isSuspended: heldBack.isSuspended })
  return { waiting, nextCharge, isHeld: nextCharge === null && nextRenewalAt(subscription) !== null }
}

export interface ComingCharges extends ChargesAfterDebt {
  /** The outstanding payment plus the periods that are charged after it; null if no payment is outstanding. */
  readonly toPay: Amount | null
}

export async function comingCharges(
  sql: Sql,
  tenant: Tenant,
  subscription: Subscription,
  { due, now }: { due: { readonly total: Amount } | null; now: Date },
): Promise<ComingCharges> {
  const heldBack = await heldBackBy(sql, tenant, subscription.id)
  const { nextCharge, waiting } = chargesOf(subscription, heldBack, now)
  return { nextCharge, waiting, toPay: due && plus(due.total, waiting?.total) }
}

const minorOf = ({ value, currency }: Amount): bigint => parseMoney(value, currency)?.minor ?? 0n
const plus = (owed: Amount, waiting: Amount | undefined): Amount =>
  waiting ? amount(minorOf(owed) + minorOf(waiting), owed.currency) : owed
