import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, parseMoney, sum } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { chargesOf, type HeldBack, heldBackBy } from '../../modules/outstanding/coming-charges.ts'
import { outstandingOf } from '../../modules/outstanding/outstanding.ts'
import type { NextCharges, OutstandingOrder, Stakes, SubscriptionAction } from '../../modules/subscriptions/page.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Sql } from '../../platform/db/db.ts'

/**
 * The possible actions by status, in the order in which the page shows them. The operation checks again whether an
 * action is possible.
 */
const actionsOf: Readonly<Record<rules.Subscription['status'], readonly SubscriptionAction[]>> = {
  created: [],
  trial: ['cancel', 'cancelNow'],
  active: ['pause', 'cancel', 'cancelNow'],
  paused: ['unpause', 'cancel', 'cancelNow'],
  on_grace_period: ['resume', 'cancelNow'],
  canceled: [],
}

export interface Debt {
  readonly outstanding: readonly OutstandingOrder[]
  readonly heldBack: HeldBack | null
}

export const debtOf = async (sql: Sql, tenant: Tenant, subscriptionId: string): Promise<Debt> => ({
  outstanding: await outstandingOf(sql, subscriptionId),
  heldBack: await heldBackBy(sql, tenant, subscriptionId),
})

export const allowedActions = (
  subscription: rules.Subscription,
  debt: Debt,
  now: Date,
): { action: SubscriptionAction; stakes: Stakes; version: string }[] =>
  actionsOf[subscription.status].flatMap((action) => {
    const stakes = stakesOf(action, subscription, debt, now)
    return stakes ? [{ action, stakes, version: stakesVersion(action, stakes, now) }] : []
  })

type Done = ReturnType<typeof rules.unpause>

const unbilled = (next: rules.Subscription): Done => ({ next, lines: [] })

const done: Readonly<Record<SubscriptionAction, (of: rules.Subscription, now: Date) => Done>> = {
  cancel: (of, now) => unbilled(rules.cancel(of, { now, reason: 'merchant_request', immediately: false })?.next ?? of),
  cancelNow: (of, now) => unbilled(rules.cancelNow(of, { now, reason: 'merchant_request' })),
  resume: (of, now) => unbilled(rules.resume(of, now)),
  pause: (of) => unbilled(rules.pause(of)),
  unpause: (of, now) => rules.unpause(of, now),
}

export const actionNamed = (name: string | null): SubscriptionAction | null =>
  (Object.keys(done) as SubscriptionAction[]).find((action) => action === name) ?? null

/** Returns null if the operation would refuse the action. */
export function stakesOf(
  action: SubscriptionAction,
  subscription: rules.Subscription,
  { outstanding, heldBack }: Debt,
  now: Date,
): Stakes | null {
  try {
    const { next, lines } = done[action](subscription, now)
    // A new period is a renewal, which is not possible during a recovery.
    if (lines.length > 0 && outstanding.some(({ hasFailed }) => hasFailed)) return null
    const sum = lines.length > 0 && rules.priceLines(next, lines, { sellerCountry: config().seller.country, on: now })
    return {
      now: sum ? amount(sum.total, next.price.currency) : null,
      ...laterOf(chargesOf(subscription, heldBack, now), chargesOf(next, heldBack, now)),
      until: next.status === 'on_grace_period' && next.renewedUntil ? toWire(next.renewedUntil) : null,
      endsNow: next.status === 'canceled',
      waived: next.parked.length === 0 && lines.length === 0 ? waitingOf(subscription, now) : null,
      dropsChange: subscription.scheduledUpdate !== null && next.scheduledUpdate === null && lines.length === 0,
      ...outcomeOf(outstanding, next.status === 'canceled'),
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function laterOf(
  before: NextCharges,
  { waiting, nextCharge, isHeld }: NextCharges,
): Pick<Stakes, 'next' | 'waiting' | 'isHeld' | 'stops' | 'stopsWaiting'> {
  const continues = waiting !== null || nextCharge !== null || isHeld
  const stopped = continues ? { nextCharge: null, waiting: null } : before
  return { next: nextCharge, waiting, isHeld, stops: stopped.nextCharge, stopsWaiting: stopped.waiting }
}

function waitingOf(subscription: rules.Subscription, now: Date): Amount | null {
  const { parked, price } = subscription
  if (parked.length === 0) return null
  const { total } = rules.priceLines(subscription, parked, { sellerCountry: config().seller.country, on: now })
  return total > 0n ? amount(total, price.currency) : null
}

/**
 * If the subscription ends, its unpaid orders are written off, except a sale that other subscriptions share. If the
 * subscription continues, no order is written off.
 */
function outcomeOf(
  outstanding: readonly OutstandingOrder[],
  isOver: boolean,
): Pick<Stakes, 'writtenOff' | 'onItsWay' | 'collected'> {
  if (!isOver) return { writtenOff: null, onItsWay: null, collected: collectedOf(outstanding) }
  const ending = outstanding.filter(({ isShared }) => !isShared)
  return {
    writtenOff: totalOf(ending.filter(({ isOnItsWay }) => !isOnItsWay)),
    onItsWay: totalOf(ending.filter(({ isOnItsWay }) => isOnItsWay)),
    collected: collectedOf(outstanding.filter(({ isShared }) => isShared)),
  }
}

function collectedOf(outstanding: readonly OutstandingOrder[]): Stakes['collected'] {
  const total = totalOf(outstanding)
  const [retryAt = null] = outstanding.flatMap((each) => each.retryAt ?? []).sort()
  const until =
    outstanding
      .flatMap(({ writtenOffAt }) => writtenOffAt ?? [])
      .sort()
      .at(-1) ?? null
  return total && { total, retryAt, until }
}

function totalOf(orders: readonly OutstandingOrder[]): Amount | null {
  const [first] = orders
  const minor = sum(orders.map(({ total }) => parseMoney(total.value, total.currency)?.minor ?? 0n))
  return first ? amount(minor, first.total.currency) : null
}

/**
 * Returns a version that changes with the effects on the page. Omits the time of a charge that is already due, because that time changes with each view
 * of the page.
 */
export function stakesVersion(action: SubscriptionAction, { next, stops, ...stakes }: Stakes, now: Date): string {
  const fixed = (charge: Stakes['next']) => charge && { ...charge, at: charge.at > toWire(now) ? charge.at : null }
  return versionOf([action, stakes, stakes.now ? next?.total : fixed(next), fixed(stops)])
}
