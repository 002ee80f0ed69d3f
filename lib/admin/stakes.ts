import { toWire } from '../kernel/moment.ts'
import { type Amount, amount, parseMoney, sum } from '../kernel/money.ts'
import { Refusal } from '../kernel/refusal.ts'
import { chargesOf, type HeldBack } from '../modules/recovery/coming-charges.ts'
import type { NextCharges, OutstandingOrder, Stakes, SubscriptionAction } from '../modules/subscriptions/page.ts'
import * as rules from '../modules/subscriptions/rules/index.ts'
import { config } from '../platform/config.ts'
import { versionOf } from '../platform/crypto/version-of.ts'

type Done = ReturnType<typeof rules.unpause>

const unbilled = (next: rules.Subscription): Done => ({ next, lines: [] })

const done: Readonly<Record<SubscriptionAction, (of: rules.Subscription, now: Date) => Done>> = {
  cancel: (of, now) => unbilled(rules.cancel(of, { now, reason: 'merchant_request', immediately: false })?.next ?? of),
  cancelNow: (of, now) => unbilled(rules.cancelNow(of, { now, reason: 'merchant_request' })),
  resume: (of, now) => unbilled(rules.resume(of, now)),
  pause: (of) => unbilled(rules.pause(of)),
  unpause: (of, now) => rules.unpause(of, now),
}

/** The effect of an action, calculated by the rule that performs the action; null if the rule refuses the action. */
export function stakesOf(
  action: SubscriptionAction,
  subscription: rules.Subscription,
  { outstanding, heldBack }: { outstanding: readonly OutstandingOrder[]; heldBack: HeldBack | null },
  now: Date,
): Stakes | null {
  try {
    const { next, lines } = done[action](subscription, now)
    // A period that begins is a renewal, and there is no renewal during a recovery.
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

/** What is charged after an action, or not any more with it. */
function laterOf(
  before: NextCharges,
  { waiting, nextCharge, isHeld }: NextCharges,
): Pick<Stakes, 'next' | 'waiting' | 'isHeld' | 'stops' | 'stopsWaiting'> {
  const goesOn = waiting !== null || nextCharge !== null || isHeld
  const stopped = goesOn ? { nextCharge: null, waiting: null } : before
  return { next: nextCharge, waiting, isHeld, stops: stopped.nextCharge, stopsWaiting: stopped.waiting }
}

/** What waits for the next renewal; null where it is nothing, or to the buyer's credit. */
function waitingOf(subscription: rules.Subscription, now: Date): Amount | null {
  const { parked, price } = subscription
  if (parked.length === 0) return null
  const { total } = rules.priceLines(subscription, parked, { sellerCountry: config().seller.country, on: now })
  return total > 0n ? amount(total, price.currency) : null
}

/** What becomes of the orders that are not paid: the end of a subscription writes them off, nothing else does. */
function outcomeOf(
  outstanding: readonly OutstandingOrder[],
  isOver: boolean,
): Pick<Stakes, 'writtenOff' | 'onItsWay' | 'collected'> {
  if (isOver)
    return {
      writtenOff: totalOf(outstanding.filter(({ isOnItsWay }) => !isOnItsWay)),
      onItsWay: totalOf(outstanding.filter(({ isOnItsWay }) => isOnItsWay)),
      collected: null,
    }
  const total = totalOf(outstanding)
  const [retryAt = null] = outstanding.flatMap((each) => each.retryAt ?? []).sort()
  const until =
    outstanding
      .flatMap(({ writtenOffAt }) => writtenOffAt ?? [])
      .sort()
      .at(-1) ?? null
  return { writtenOff: null, onItsWay: null, collected: total && { total, retryAt, until } }
}

function totalOf(orders: readonly OutstandingOrder[]): Amount | null {
  const [first] = orders
  const minor = sum(orders.map(({ total }) => parseMoney(total.value, total.currency)?.minor ?? 0n))
  return first ? amount(minor, first.total.currency) : null
}

/** Of what a page says of an action. What it says of a moment that only passes, as of a period that begins now, is left out. */
export function stakesVersion(action: SubscriptionAction, { next, stops, ...stakes }: Stakes, now: Date): string {
  const fixed = (charge: Stakes['next']) => charge && { ...charge, at: charge.at > toWire(now) ? charge.at : null }
  return versionOf([action, stakes, stakes.now ? next?.total : fixed(next), fixed(stops)])
}
