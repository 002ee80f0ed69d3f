import { type Amount, amount } from '../../kernel/money.ts'
import { type FieldErrors, invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { brokenLimit, type ChargeLimits, noLimits } from '../../modules/payments/rules/charge-limits.ts'
import { intervalPrice } from '../../modules/subscriptions/next-charge.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { chargeLimitsOn, learnChargeLimits } from '../../providers/index.ts'

/**
 * The charge limits of a subscription's payment method. A charge outside the limits could never be paid, and its
 * recovery would end the subscription. A change whose charge is below the minimum is refused, or its charge waits for
 * the renewal. A change whose charge is above the maximum is refused. If the provider cannot charge the mandate at all,
 * no limits apply here, and the members get an email before the renewal.
 */
const limitsOf = ({ mandate, price }: rules.Subscription): ChargeLimits =>
  (mandate && chargeLimitsOn(mandate, price.currency)) ?? noLimits

function brokenBy(subscription: rules.Subscription, price: () => { total: bigint }): 'least' | 'most' | null {
  const limits = limitsOf(subscription)
  if (limits.least === 0n && limits.most === null) return null
  return brokenLimit(price().total, limits)
}

export function limitOf(subscription: rules.Subscription, limit: 'least' | 'most'): Amount {
  return amount(limitsOf(subscription)[limit] ?? 0n, subscription.price.currency)
}

export async function learnLimits({ mandate, price }: rules.Subscription): Promise<void> {
  if (mandate) await learnChargeLimits(mandate, price.currency)
}

const fieldOf = (request: rules.Change): string =>
  request.price ? 'price.value' : request.plan ? 'subscriptionPlanId' : 'quantity'

/**
 * A charge below the minimum waits for the renewal. A charge that starts a new period cannot wait, so the change is
 * refused with `validation_failed`.
 */
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
  if (limit === 'most') throw invalid(fieldOf(request), ruleProblem('charge_at_most', { most: limitOf(before, limit) }))
  const parked = rules.change(before, { ...request, invoiceImmediately: false }, now, back)
  if (broken(parked) === null) return parked
  const { value, currency } = limitOf(before, limit)
  throw invalid(
    'applyImmediately',
    `The charge would be below ${value} ${currency}, which is the minimum charge. Send applyImmediately false to change at the next renewal.`,
  )
}

/** Returns problems by field if the price of a full interval cannot be charged now or at the next renewal. */
export function limitProblems(before: rules.Subscription, request: rules.Change, now: Date): FieldErrors {
  if (!rules.isChangeable(before, now)) return {}
  const { atOnce, later } = rules.termsAfter(before, request)
  const changed = [atOnce, later ?? atOnce].filter((each) => !rules.sameTerms(each, before))
  const [broken] = changed.flatMap((each) => brokenBy(each, () => intervalPrice(each, now)) ?? [])
  if (!broken) return {}
  const limit = limitOf(before, broken)
  const problem =
    broken === 'least'
      ? ruleProblem('interval_price_at_least', { least: limit })
      : ruleProblem('interval_price_at_most', { most: limit })
  return { [fieldOf(request)]: [problem] }
}

export function renewsForTooLittle(subscription: rules.Subscription, now: Date): boolean {
  const { scheduledUpdate } = subscription
  const upcoming = { ...subscription, ...(scheduledUpdate && rules.scheduledTerms(subscription, scheduledUpdate)) }
  return brokenBy(upcoming, () => intervalPrice(upcoming, now)) === 'least'
}
