import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, type Currency } from '../../kernel/money.ts'
import { config } from '../../platform/config.ts'
import { nextRenewalAt, priceLines, renew, type Subscription } from './rules/index.ts'

/** The next renewal with tax, by the rule that will bill it. Null if none is due. */
export function nextCharge(
  subscription: Subscription,
  now: Date,
): { total: bigint; currency: Currency; at: Date } | null {
  const due = nextRenewalAt(subscription)
  if (!due) return null
  const { next, lines } = renew(subscription, { due, now })
  const { total } = priceLines(next, lines, { sellerCountry: config().seller.country, on: due })
  // A renewal that waits for an outstanding payment follows as soon as that is paid.
  return { total, currency: next.price.currency, at: due > now ? due : now }
}

/** The next renewal as pages and emails show it. */
export function nextChargeView(subscription: Subscription, now: Date): { total: Amount; at: string } | null {
  const next = nextCharge(subscription, now)
  return next && { total: amount(next.total, next.currency), at: toWire(next.at) }
}

/** What a full interval costs on the current terms, with and without tax. */
export function intervalPrice(subscription: Subscription, now: Date): { total: bigint; subtotal: bigint } {
  const { name, price, quantity } = subscription
  const line = { kind: 'period', name, unitPrice: price.minor, quantity } as const
  const { total, subtotal } = priceLines(subscription, [line], { sellerCountry: config().seller.country, on: now })
  return { total, subtotal }
}
