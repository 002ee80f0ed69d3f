import { type Amount, amount, parseMoney } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { sellingOf } from '../accounts/store.ts'
import { heldByRecovery } from '../recovery/store.ts'
import { type ChargesAfterDebt, chargesAfterDebt, nextChargeView } from '../subscriptions/next-charge.ts'
import { nextRenewalAt, type Subscription } from '../subscriptions/rules/index.ts'

/** What holds renewals back: a payment that is outstanding, or a storefront that sells nothing. */
export interface HeldBack {
  readonly isSuspended: boolean
}

/** What holds the renewals of a subscription back; null where nothing does. */
export async function heldBackBy(sql: Sql, tenant: Tenant, subscriptionId: string): Promise<HeldBack | null> {
  const { isSuspended } = await sellingOf(sql, tenant)
  const isHeldBack = isSuspended || (await heldByRecovery(sql, [subscriptionId])).size > 0
  return isHeldBack ? { isSuspended } : null
}

interface Charges extends ChargesAfterDebt {
  /** Whether a renewal is due of which nothing can be said before the storefront sells again. */
  readonly isHeld: boolean
}

/** What a subscription is charged next, by the rules that bill it, with what is held back until then. */
export function chargesOf(subscription: Subscription, heldBack: HeldBack | null, now: Date): Charges {
  if (!heldBack) return { waiting: null, nextCharge: nextChargeView(subscription, now), isHeld: false }
  const { waiting, nextCharge } = chargesAfterDebt(subscription, { now, isSuspended: heldBack.isSuspended })
  return { waiting, nextCharge, isHeld: nextCharge === null && nextRenewalAt(subscription) !== null }
}

/** What is charged next, and what an open recovery holds back until then. */
export interface ComingCharges extends ChargesAfterDebt {
  /** What is owed, and what follows as soon as that is paid. Null where nothing is owed. */
  readonly toPay: Amount | null
}

/** What a subscription is charged after what it owes, by the rules that bill it. */
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
