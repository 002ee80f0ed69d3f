import { type Answer, invalid, refused } from './answer.ts'
import { dropScheduledAndParked, endNow, writeOffOutstanding } from './ending.ts'
import {
  bill,
  billPeriod,
  collectOutstanding,
  completeSale,
  failed,
  holdsRenewals,
  newOrder,
  paid,
  passTime,
  renew,
  setTimer,
} from './passing-time.ts'
import { newPeriod } from './periods.ts'
import { cancelOrder, undo } from './undo.ts'
import {
  type Address,
  amountOf,
  later,
  type Mandate,
  type Order,
  recordEvent,
  type Subscription,
  scheduledTerms,
  settlementSeconds,
  viewOf,
  type World,
} from './world.ts'

const done: Answer = { status: 204 }
const shown = (subscription: Subscription): Answer => ({ status: 200, shows: viewOf(subscription) })

export function advance(world: World, to: Date): Answer {
  passTime(world, to)
  return { status: 200 }
}

export type PaymentMethod = 'creditcard' | 'paypal' | 'ideal' | 'directdebit'

const mandates = { creditcard: 'card', paypal: 'paypal', ideal: 'sepa_debit', directdebit: 'sepa_debit' } as const

const mandateOf = ({ now }: World, method: PaymentMethod, pending = false): Mandate => ({
  method: mandates[method],
  pending,
  declines: null,
  madeAt: now,
})

export interface Basket {
  readonly items: readonly { plan: number; quantity: number; price?: bigint; trialDays?: number }[]
  readonly method: PaymentMethod
  readonly address: Address
  readonly mandate: 'valid' | 'pending'
  readonly viaLink: boolean
}

export function buy(world: World, { items, method, address, mandate }: Basket): Answer {
  const plans = items.map(({ plan }) => world.plans[plan])
  const archived = plans.flatMap((plan, index) => (plan?.archived ? [`products.${index}.id`] : []))
  if (archived.length > 0) return invalid(...archived)
  const inclusive = plans[0]?.inclusive === true
  if (plans.some((plan) => plan?.inclusive !== inclusive)) return invalid('products.0.id', 'products.1.id')

  const started = items.map((item) => newSubscription(world, item, { inclusive, address }))
  // A product with a trial adds no line to the order. If nothing is due today, the order has one line of 0.00, which verifies the payment method.
  const isTrial = ({ trialDays = 0 }: Basket['items'][number]) => trialDays > 0
  const amounts = started.flatMap(({ terms }, i) => (isTrial(items[i] ?? nothing) ? [] : [amountOf(terms)]))
  const order: Order = {
    ...newOrder(amounts.length > 0 ? amounts : [0n], { inclusive, address }),
    isSale: true,
    fastForwarded: false,
    subscriptions: started,
  }
  for (const subscription of started) subscription.orders.push(order)
  world.subscriptions.push(...started)
  const trialDays = items.map((item) => item.trialDays ?? 0)
  const isFree = started.every(({ terms }) => amountOf(terms) === 0n)
  const made = isFree ? null : mandateOf(world, method, mandate === 'pending')
  const isDebit = method === 'directdebit' && order.total > 0n
  const sale = { order, started, trialDays, mandate: made, isDebit }
  if (!isDebit) completeSale(world, sale)
  else {
    const settlesAt = later(world.now, { seconds: settlementSeconds })
    world.sales.push({ ...sale, settlesAt, decided: ++world.decisions })
  }
  return { status: 201 }
}

const nothing = { plan: 0, quantity: 0 }

function newSubscription(
  world: World,
  { plan, price, quantity }: Basket['items'][number],
  { inclusive, address }: Pick<Subscription, 'inclusive' | 'address'>,
): Subscription {
  const snapshot = world.plans[plan]
  if (!snapshot) throw new Error(`there is no plan ${plan}`)
  const { interval, intervalCount } = snapshot
  return {
    terms: { plan, price: price ?? snapshot.price, quantity, interval, intervalCount },
    inclusive,
    address,
    status: 'created',
    metadata: null,
    before: 'active',
    mandate: null,
    anchor: world.now,
    n: 0,
    period: null,
    past: [],
    trialUntil: null,
    renewedUntil: null,
    renewedAt: null,
    startedAt: null,
    canceledAt: null,
    endedAt: null,
    cancellationReason: null,
    scheduled: null,
    parked: [],
    paying: [],
    billedBy: null,
    timer: null,
    orders: [],
    events: [],
  }
}

export interface BillingUpdate {
  readonly address: Address
  readonly method: PaymentMethod | null
  readonly mandate: 'valid' | 'pending'
}

export function updateBilling(
  world: World,
  subscription: Subscription,
  { address, method, mandate }: BillingUpdate,
): Answer {
  const { status } = subscription
  if (status === 'created' || status === 'canceled') return refused(422, 'subscription_not_changeable')
  const isMoved = address.country !== subscription.address.country || address.taxId !== subscription.address.taxId
  if (!isMoved && !method) return { status: 200 }
  subscription.address = address
  if (method) subscription.mandate = mandateOf(world, method, mandate === 'pending')
  recordEvent(subscription, 'subscription.billing_updated')
  if (method) {
    bill(world, subscription, [0n])
    collectOutstanding(world, subscription)
  }
  return { status: 200 }
}

export function cancel(
  world: World,
  subscription: Subscription,
  {
    immediately,
    reason = 'merchant_request',
  }: { immediately: boolean; reason?: NonNullable<Subscription['cancellationReason']> },
): Answer {
  const { status, renewedUntil } = subscription
  if (status === 'created' || status === 'canceled') return refused(422, 'subscription_not_cancelable')
  if (status === 'on_grace_period' && !immediately) return done
  // If the paid time is over, for example in a recovery, the subscription ends immediately without a grace period.
  const isOver = !renewedUntil || renewedUntil <= world.now
  if (immediately || isOver) {
    endNow(world, subscription, reason)
    writeOffOutstanding(world, subscription)
    recordEvent(subscription, 'subscription.canceled_immediately')
    return done
  }
  const canceled = {
    status: 'on_grace_period',
    before: status,
    canceledAt: world.now,
    cancellationReason: reason,
  }
  dropScheduledAndParked(subscription)
  Object.assign(subscription, canceled)
  recordEvent(subscription, 'subscription.canceled_with_grace_period')
  setTimer(world, subscription)
  return done
}

export function resume(world: World, subscription: Subscription): Answer {
  if (subscription.status !== 'on_grace_period') return refused(422, 'subscription_not_resumable')
  const { before } = subscription
  Object.assign(subscription, { status: before, canceledAt: null, cancellationReason: null })
  recordEvent(subscription, 'subscription.resumed')
  if (before !== 'paused') setTimer(world, subscription)
  return shown(subscription)
}

export function setMetadata(subscription: Subscription, metadata: Subscription['metadata']): Answer {
  const { status } = subscription
  const isSame = JSON.stringify(metadata) === JSON.stringify(subscription.metadata)
  if (!isSame && (status === 'created' || status === 'canceled')) return refused(422, 'subscription_not_changeable')
  subscription.metadata = metadata
  if (!isSame) recordEvent(subscription, 'subscription.updated metadata_changed')
  return shown(subscription)
}

export function endRecovery(world: World, order: Order): Answer {
  const [subscription] = order.subscriptions
  if (!order.recovery?.open || order.status !== 'pending') return refused(422, 'order_not_in_recovery')
  if (order.isSale || !order.change || !subscription) return refused(422, 'renewal_order')
  if (order.attempt && order.attempt.by !== 'helper') return refused(409, 'already_in_flight')
  cancelOrder(world, order)
  undo(world, subscription, order)
  return done
}

export function changePlan(world: World, number: number, change: { price?: bigint; archived?: boolean }): Answer {
  Object.assign(world.plans[number] ?? {}, change)
  return change.archived ? done : { status: 200 }
}

export function pause(_: World, subscription: Subscription): Answer {
  if (subscription.status !== 'active') return refused(409, 'subscription_not_pausable')
  subscription.status = 'paused'
  recordEvent(subscription, 'subscription.updated updated_immediately')
  return { status: 200 }
}

/** The cycle continues if the paid period has not ended. Otherwise a new period starts and is charged. */
export function unpause(world: World, subscription: Subscription): Answer {
  if (subscription.status !== 'paused') return refused(409, 'subscription_not_paused')
  const { renewedUntil, scheduled } = subscription
  const goesOn = renewedUntil && renewedUntil > world.now
  // Refuses a new period while a renewal is in recovery, because a new period is charged as a renewal, and renewals
  // wait during a recovery.
  if (!goesOn && holdsRenewals(subscription)) return refused(409, 'already_in_flight')
  subscription.status = 'active'
  if (goesOn) {
    recordEvent(subscription, 'subscription.updated updated_immediately')
    setTimer(world, subscription)
    return { status: 200 }
  }
  const terms = scheduledTerms(subscription)
  const reason = scheduled ? 'updated_on_renewal' : 'renewed'
  billPeriod(world, subscription, newPeriod(subscription, world.now, terms), { terms, reason, fastForwarded: false })
  return { status: 200 }
}

export function activateMandate(world: World, subscription: Subscription): Answer {
  const { mandate } = subscription
  if (!mandate?.pending) return refused(409, 'mandate_not_pending')
  mandate.pending = false
  for (const each of world.subscriptions) if (each.mandate === mandate) collectOutstanding(world, each)
  return { status: 200 }
}

export function decline(_: World, { mandate }: Subscription, reason: string | null): Answer {
  if (!mandate) return invalid('subscription')
  mandate.declines = reason
  return { status: 200 }
}

export interface Outcome {
  readonly paymentStatus?: 'paid' | 'failed'
  readonly failureReason?: string
}

const reasonOf = ({ failureReason }: Outcome) => failureReason ?? 'general_failure'

/** The immediate response of a test helper, and its effect (`happens`), which follows a few seconds later. */
export interface Helped {
  readonly answer: Answer
  readonly happens: () => void
}

const nothingHappens = (answer: Answer): Helped => ({ answer, happens: () => undefined })

export function fastForward(world: World, subscription: Subscription, asked: Outcome): Helped {
  const noReason = reasonWithoutFailure(asked)
  const notChargeable =
    asked.paymentStatus === 'paid' && subscription.mandate?.pending !== false ? ['paymentStatus'] : []
  if (noReason.length > 0) return nothingHappens(invalid(...noReason, ...notChargeable))
  if (subscription.status !== 'active') return nothingHappens(refused(422, 'subscription_not_renewable'))
  const isUnresolved = subscription.orders.some(({ fastForwarded, status }) => fastForwarded && status === 'pending')
  if (isUnresolved || holdsRenewals(subscription)) return nothingHappens(refused(409, 'already_in_flight'))
  if (notChargeable.length > 0) return nothingHappens(invalid(...notChargeable))
  return {
    answer: shown(subscription),
    happens: () => {
      const order = renew(world, subscription, { fastForwarded: true })
      if (order.status === 'pending') applyOutcome(world, subscription, order, asked)
    },
  }
}

export function simulate(world: World, subscription: Subscription, order: Order, asked: Outcome): Helped {
  const isAwaited = order.status === 'pending' && !order.isSale && (order.attempt || !order.recovery)
  const wrong = reasonWithoutFailure(asked)
  if (!isAwaited) wrong.push('orderId')
  else if (asked.paymentStatus === 'paid' && !order.attempt) wrong.push('paymentStatus')
  if (wrong.length > 0) return nothingHappens(invalid(...wrong))
  return { answer: { status: 200 }, happens: () => applyOutcome(world, subscription, order, asked) }
}

const reasonWithoutFailure = ({ failureReason, paymentStatus }: Outcome): string[] =>
  failureReason && paymentStatus !== 'failed' ? ['failureReason'] : []

function applyOutcome(world: World, subscription: Subscription, order: Order, asked: Outcome): void {
  if (asked.paymentStatus === 'paid') paid(world, subscription, order)
  if (asked.paymentStatus === 'failed') failed(world, subscription, order, { reason: reasonOf(asked), helped: true })
}
