import { formatMoney } from '../../kernel/money.ts'
import { type FieldErrors, invalid } from '../../kernel/refusal.ts'
import { brokenLimit, type ChargeLimits, noLimits } from '../../modules/payments/rules/charge-limits.ts'
import { intervalPrice } from '../../modules/subscriptions/next-charge.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { chargeLimitsOn, learnChargeLimits } from '../../providers/index.ts'

/**
 * A charge outside the limits could never be paid, and its recovery would end the subscription. A change with a charge
 * below the minimum is refused, or waits for a larger charge. A change with a charge above the maximum is refused. If
 * the provider cannot charge the mandate at all, there are no limits: the members get an email before the renewal.
 */
const limitsOf = ({ mandate, price }: rules.Subscription): ChargeLimits =>
  (mandate && chargeLimitsOn(mandate, price.currency)) ?? noLimits

/** Computes no price if the provider charges any amount. */
function brokenBy(subscription: rules.Subscription, price: () => { total: bigint }): 'least' | 'most' | null {
  const limits = limitsOf(subscription)
  if (limits.least === 0n && limits.most === null) return null
  return brokenLimit(price().total, limits)
}

export function limitInWords(subscription: rules.Subscription, limit: 'least' | 'most'): string {
  const { currency } = subscription.price
  return `${formatMoney({ minor: limitsOf(subscription)[limit] ?? 0n, currency })} ${currency}`
}

export async function learnLimits({ mandate, price }: rules.Subscription): Promise<void> {
  if (mandate) await learnChargeLimits(mandate, price.currency)
}

const fieldOf = (request: rules.Change): string =>
  request.price ? 'price.value' : request.plan ? 'subscriptionPlanId' : 'quantity'

/** An invoice below the minimum waits for the renewal. Refuses `validation_failed` if its period begins now. */
export function changeOrPark(
  before: rules.Subscription,
  request: rules.Change,
  now: Date,
  back: Parameters<typeof rules.change>[3],
): rules.Changed {
  const broken = ({ next, lines }: rules.Changed) =>
    brokenBy(next, () => rules.priceLines(next, lines, { sellerCountry: config().seller.country, on: now }))
  const changed = rules.change(before, request, now, back)
  const limit = broken(changed)
  if (limit === null) return changed
  if (limit === 'most')
    throw invalid(
      fieldOf(request),
      `This would charge more than ${limitInWords(before, limit)}, the most that can be charged at once by the payment method of this subscription.`,
    )
  const parked = rules.change(before, { ...request, invoiceImmediately: false }, now, back)
  if (broken(parked) === null) return parked
  throw invalid(
    'applyImmediately',
    `This would charge less than ${limitInWords(before, limit)}, the least that can be charged: send applyImmediately false, and the change comes with the next renewal.`,
  )
}

/** Problems by field, if a full interval costs an amount that cannot be charged, now or from the next renewal. */
export function limitProblems(before: rules.Subscription, request: rules.Change, now: Date): FieldErrors {
  if (!rules.isChangeable(before, now)) return {}
  const { atOnce, later } = rules.termsAfter(before, request)
  const changed = [atOnce, later ?? atOnce].filter((each) => !rules.sameTerms(each, before))
  const [broken] = changed.flatMap((each) => brokenBy(each, () => intervalPrice(each, now)) ?? [])
  if (!broken) return {}
  const limit = limitInWords(before, broken)
  const sentences = {
    least: `An interval must cost at least ${limit} with tax, the least that can be charged, or nothing.`,
    most: `An interval must cost at most ${limit} with tax, the most that can be charged at once by the payment method of this subscription.`,
  }
  return { [fieldOf(request)]: [sentences[broken]] }
}

export function renewsForTooLittle(subscription: rules.Subscription, now: Date): boolean {
  const { scheduledUpdate } = subscription
  const upcoming = { ...subscription, ...(scheduledUpdate && rules.scheduledTerms(subscription, scheduledUpdate)) }
  return brokenBy(upcoming, () => intervalPrice(upcoming, now)) === 'least'
}
