import { formatMoney } from '../../kernel/money.ts'
import { type FieldErrors, invalid } from '../../kernel/refusal.ts'
import { intervalPrice } from '../../modules/subscriptions/next-charge.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { leastChargeOn } from '../../providers/index.ts'

/**
 * What the provider of a subscription's mandate charges at least. A charge of less could never be paid, and its recovery would end
 * the subscription: a change that makes one is refused, or waits until there is more to charge.
 */
const leastOf = ({ mandate, price }: rules.Subscription): bigint =>
  mandate ? leastChargeOn(mandate, price.currency) : 0n

/** Nothing is priced where a provider charges any amount. */
function isTooLittle(subscription: rules.Subscription, price: () => { total: bigint }): boolean {
  const least = leastOf(subscription)
  if (least === 0n) return false
  const { total } = price()
  return total > 0n && total < least
}

/** The least that can be charged, as a message names it. */
export const leastInWords = (subscription: rules.Subscription): string =>
  `${formatMoney({ minor: leastOf(subscription), currency: subscription.price.currency })} ${subscription.price.currency}`

/**
 * The effect of a change. An invoice at once over too little waits for the next renewal. Refuses `validation_failed` where it
 * cannot wait, since it is for a period that begins now.
 */
export function changeOrPark(
  before: rules.Subscription,
  request: rules.Change,
  now: Date,
  back: Parameters<typeof rules.change>[3],
): rules.Changed {
  const isRefused = ({ next, lines }: rules.Changed) =>
    isTooLittle(next, () => rules.priceLines(next, lines, { sellerCountry: config().seller.country, on: now }))
  const changed = rules.change(before, request, now, back)
  if (!isRefused(changed)) return changed
  const parked = rules.change(before, { ...request, invoiceImmediately: false }, now, back)
  if (!isRefused(parked)) return parked
  throw invalid(
    'applyImmediately',
    `This would charge less than ${leastInWords(before)}, the least that can be charged: send applyImmediately false, and the change comes with the next renewal.`,
  )
}

/** What a full interval would cost is too little, at once or from the next renewal on, after a change of the terms. By field. */
export function tooLittleAfter(before: rules.Subscription, request: rules.Change, now: Date): FieldErrors {
  if (!rules.isChangeable(before, now)) return {}
  const { atOnce, later } = rules.termsAfter(before, request)
  const changed = [atOnce, later ?? atOnce].filter((each) => !rules.sameTerms(each, before))
  if (!changed.some((each) => isTooLittle(each, () => intervalPrice(each, now)))) return {}
  const field = request.price ? 'price.value' : request.plan ? 'subscriptionPlanId' : 'quantity'
  return {
    [field]: [
      `An interval must cost at least ${leastInWords(before)} with tax, the least that can be charged, or nothing.`,
    ],
  }
}

/** Whether the renewals of a subscription as it stands are over too little. */
export function renewsForTooLittle(subscription: rules.Subscription, now: Date): boolean {
  const { scheduledUpdate } = subscription
  const upcoming = { ...subscription, ...(scheduledUpdate && rules.scheduledTerms(subscription, scheduledUpdate)) }
  return isTooLittle(upcoming, () => intervalPrice(upcoming, now))
}
