import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, type Currency, type Money } from '../../kernel/money.ts'
import { config } from '../../platform/config.ts'
import type { NextCharges } from './page.ts'
import { nextRenewal, priceLines, type Subscription } from './rules/index.ts'

function renewed(subscription: Subscription, now: Date) {
  const renewal = nextRenewal(subscription, now)
  if (!renewal) return null
  const { at, lines, subscription: next } = renewal
  const { total } = priceLines(next, lines, { sellerCountry: config().seller.country, on: at })
  return { next, total, at }
}

export function nextCharge(
  subscription: Subscription,
  now: Date,
): { total: bigint; currency: Currency; at: Date } | null {
  const each = renewed(subscription, now)
  return each && { total: each.total, currency: each.next.price.currency, at: each.at }
}

export function nextChargeView(subscription: Subscription, now: Date): { total: Amount; at: string } | null {
  const next = nextCharge(subscription, now)
  return next && { total: amount(next.total, next.currency), at: toWire(next.at) }
}

/** Returns the totals of the renewals that are due at `now` (at most 400), and of the renewal after them. Empty if the subscription does not renew. */
export function comingTotals(subscription: Subscription, now: Date): Money[] {
  const totals: Money[] = []
  for (let each = renewed(subscription, now); each; each = renewed(each.next, now)) {
    totals.push({ minor: each.total, currency: each.next.price.currency })
    if (each.at > now || totals.length > mostWaiting) break
  }
  return totals
}

export type ChargesAfterDebt = Pick<NextCharges, 'waiting' | 'nextCharge'>

/**
 * The maximum number of counted periods, because counting more periods would slow the page. Only a long advance of a
 * test clock makes more periods wait.
 */
const mostWaiting = 400

/**
 * Returns the due periods that wait for an outstanding payment (`waiting`), and the charge that follows them
 * (`nextCharge`). If more than 400 periods are due, `waiting` is null, and `nextCharge` is the charge of the first due
 * period. In a suspended storefront, `waiting` is always null. There, `nextCharge` is null while a renewal is due,
 * because the storefront cannot charge the renewal yet (docs/decisions/0017-suspended-storefronts.md).
 */
export function chargesAfterDebt(
  subscription: Subscription,
  { now, isSuspended }: { now: Date; isSuspended: boolean },
): ChargesAfterDebt {
  if (isSuspended) {
    const next = nextCharge(subscription, now)
    return { waiting: null, nextCharge: next && next.at > now ? nextChargeView(subscription, now) : null }
  }
  let [after, count, minor] = [subscription, 0, 0n]
  for (let each = renewed(after, now); each && each.at <= now; each = renewed(after, now)) {
    if (count === mostWaiting) return { waiting: null, nextCharge: nextChargeView(subscription, now) }
    after = each.next
    count += 1
    minor += each.total
  }
  const total = amount(minor, after.price.currency)
  return { waiting: minor > 0n ? { count, total } : null, nextCharge: nextChargeView(after, now) }
}

/** Returns the price of one period on the current terms, with tax (`total`) and without tax (`subtotal`). */
export function intervalPrice(subscription: Subscription, now: Date): { total: bigint; subtotal: bigint } {
  const { name, price, quantity } = subscription
  const line = { kind: 'period', name, unitPrice: price.minor, quantity } as const
  const { total, subtotal } = priceLines(subscription, [line], { sellerCountry: config().seller.country, on: now })
  return { total, subtotal }
}
