import fc from 'fast-check'
import { cycleStart } from '../../kernel/calendar.ts'
import * as service from '../../workflows/subscription-change/operations.ts'
import * as mandates from '../../workflows/test-helpers/mandates.ts'
import { send } from '../api.ts'
import type { Answer } from './answer.ts'
import { type Change, change, changeInPortal, mayChangeInPortal } from './change.ts'
import {
  type Asked,
  address,
  asked,
  basket,
  durations,
  type Move,
  maybe,
  method,
  moves,
  outcome,
  planPrice,
  rarely,
  reason,
} from './choices.ts'
import { Command, type Deed, onOneOf, print } from './command.ts'
import { moneyCommands } from './money-commands.ts'
import * as model from './operations.ts'
import {
  asReply,
  buy,
  changeAfterPreview,
  changeInPortal as changeInRealPortal,
  clockTo,
  price,
  type Real,
  updateBilling,
} from './real.ts'
import { later, ordersOf, type Subscription, viewOf, type World } from './world.ts'

const subscriptionsOf = onOneOf('subscription', ({ subscriptions }: World) => subscriptions)

interface Target {
  readonly world: World
  readonly real: Real
  readonly subscription: Subscription
  readonly id: string
}

const onSubscription = <Input>(
  weight: number,
  name: string,
  meantFor: (subscription: Subscription) => boolean,
  input: fc.Arbitrary<Input>,
  deed: (target: Target, input: Input) => Deed,
) =>
  subscriptionsOf(weight, name, meantFor, input, ({ world, real, thing, number }, chosen) => {
    const id = real.subscriptionIds[number]
    if (!id) throw new Error('there is no subscription')
    return deed({ world, real, subscription: thing, id }, chosen)
  })

const is =
  (...statuses: Subscription['status'][]) =>
  ({ status }: Subscription) =>
    statuses.includes(status)
const isAlive = is('trial', 'active', 'paused', 'on_grace_period')
const runs = is('trial', 'active')
const hasPendingMandate = ({ mandate }: Subscription) => mandate?.pending === true

const buying = basket.map(
  (input) =>
    new Command(
      'buy',
      input,
      ({ subscriptions }) => subscriptions.length < 4,
      (world, real) => ({
        said: `buy ${print(input)}`,
        really: () => buy(real, input),
        inModel: () => model.buy(world, input),
      }),
    ),
)

const passing = fc.record({ by: moves, number: fc.nat(3) }).map(
  (input) =>
    new Command(
      'clock',
      input,
      () => true,
      (world, real, { by, number }) => {
        const to = targetOf(world, by, number)
        return {
          said: `clock by ${by} to ${to.toISOString()}`,
          really: () => clockTo(real, to),
          inModel: () => model.advance(world, to),
        }
      },
    ),
)

/** Limits a move to about a month, because a plan of a few days must not renew hundreds of times. */
function targetOf({ now, subscriptions, refunds }: World, by: Move, number: number): Date {
  if (by === 'P1M') return cycleStart(now, 'month', 1, 1)
  if (by in durations) return later(now, durations[by as keyof typeof durations])
  const steps = subscriptions.flatMap(({ orders }) =>
    orders.map(({ recovery }) => recovery?.open && recovery.nextStep?.at),
  )
  const renewals = subscriptions.map(({ renewedUntil }) => renewedUntil)
  const windows = refunds.map(({ turn }) => turn?.at)
  const moments = (by === 'next step' ? steps : by === 'window' ? windows : renewals)
    .filter((at) => at instanceof Date)
    .map((at) => later(at, { seconds: by === 'just before' ? -60 : 0 }))
    .filter((at) => at > now && at <= later(now, { days: 40 }))
  return moments[number % Math.max(moments.length, 1)] ?? later(now, { days: 1 })
}

function changeOf({ now, plans }: World, subscription: Subscription, { cycle, ...given }: Asked): Change {
  const { terms, inclusive, period } = subscription
  // The model cannot compute the credit for a restored period, so this request keeps the quantity and the plan.
  if (period?.isRestored)
    return {
      quantity: terms.quantity,
      prorate: true,
      applyImmediately: true,
      invoiceImmediately: true,
      resetAnchor: false,
    }
  const { prorate, applyImmediately, invoiceImmediately } = given
  const others = plans.flatMap((each, number) =>
    each.inclusive === inclusive && number !== terms.plan && !each.archived ? [number] : [],
  )
  const named = { same: terms.plan, other: others[given.other % Math.max(others.length, 1)] }
  const plan = typeof given.plan === 'string' ? named[given.plan] : given.plan
  const price = given.price === 'same' ? terms.price : given.price
  const isNothing = given.quantity === undefined && plan === undefined && price === undefined && !given.namesNothing
  const quantity = given.quantity === 'same' ? terms.quantity : isNothing ? terms.quantity + 1 : given.quantity
  const { anchorIn, trialIn, resetAnchor = false } = cycle
  const midnight = new Date(now.toISOString().slice(0, 10))
  return {
    prorate,
    applyImmediately,
    invoiceImmediately,
    resetAnchor,
    ...(plan !== undefined && { plan }),
    ...(price !== undefined && { price }),
    ...(quantity !== undefined && { quantity }),
    ...(anchorIn !== undefined && { anchor: later(midnight, { days: anchorIn }) }),
    ...(trialIn !== undefined && { trialUntil: later(now, { seconds: 3600 * trialIn }) }),
  }
}

const bodyOf = ({ planIds }: Real, { plan, price: minor, anchor, trialUntil, ...rest }: Change) => ({
  ...rest,
  ...(plan !== undefined && { subscriptionPlanId: planIds[plan] }),
  ...(minor !== undefined && { price: price(minor) }),
  ...(anchor && { anchor: anchor.toISOString().slice(0, 10) }),
  ...(trialUntil && { trialUntil: trialUntil.toISOString() }),
})

const changing = onSubscription(14, 'PATCH', isAlive, asked, ({ world, real, subscription, id }, given) => {
  const wish = changeOf(world, subscription, given)
  return {
    said: `PATCH ${print(wish)}`,
    really: () => changeAfterPreview(real, id, bodyOf(real, wish)),
    inModel: () => change(world, subscription, wish),
  }
})

const changingInPortal = onSubscription(
  2,
  'portal',
  mayChangeInPortal,
  fc.integer({ min: 1, max: 6 }),
  ({ world, real, subscription, id }, chosen) => {
    const quantity = chosen === subscription.terms.quantity ? chosen + 1 : chosen
    if (!mayChangeInPortal(subscription))
      return {
        said: 'the portal offers no change',
        really: () => send(`GET /v1/subscriptions/${id}`, { key: real.key }),
        inModel: () => ({ status: 200, shows: viewOf(subscription) }),
      }
    return {
      said: `portal: quantity ${quantity}`,
      really: () => changeInRealPortal(real, id, quantity),
      inModel: () => changeInPortal(world, subscription, quantity),
    }
  },
)

const describing = onSubscription(
  2,
  'metadata',
  isAlive,
  fc.option(fc.nat(3), { freq: 4 }),
  ({ real, subscription, id }, note) => {
    const metadata = note === null ? null : { note }
    return {
      said: `metadata ${print(metadata)}`,
      really: () => send(`PATCH /v1/subscriptions/${id}`, { key: real.key, body: { metadata } }),
      inModel: () => model.setMetadata(subscription, metadata),
    }
  },
)

const canceling = onSubscription(2, 'DELETE', isAlive, rarely, ({ world, real, subscription, id }, immediately) => {
  const query = immediately ? '?immediately=true' : ''
  return {
    said: `DELETE${query}`,
    really: () => send(`DELETE /v1/subscriptions/${id}${query}`, { key: real.key }),
    inModel: () => model.cancel(world, subscription, { immediately }),
  }
})

const nothing = fc.constant(null)

const resuming = onSubscription(2, 'resume', is('on_grace_period'), nothing, ({ world, real, subscription, id }) => ({
  said: 'resume',
  really: () => send(`POST /v1/subscriptions/${id}/resume`, { key: real.key }),
  inModel: () => model.resume(world, subscription),
}))

const operator = (
  weight: number,
  name: string,
  meantFor: (each: Subscription) => boolean,
  atService: (id: string) => Promise<unknown>,
  inModel: (world: World, subscription: Subscription) => Answer,
) =>
  onSubscription(weight, name, meantFor, nothing, ({ world, subscription, id }) => ({
    said: name,
    really: () => asReply(atService(id)),
    inModel: () => inModel(world, subscription),
  }))

const operating = [
  ...operator(1, 'pause', is('active'), service.pauseTyped, model.pause),
  ...operator(2, 'unpause', is('paused'), service.unpauseTyped, model.unpause),
  ...operator(1, 'activate mandate', hasPendingMandate, mandates.activateMandate, model.activateMandate),
]

const declining = onSubscription(
  3,
  'decline',
  runs,
  fc.option(reason, { freq: 3 }),
  ({ world, subscription, id }, why) => ({
    said: why ? `the provider declines: ${why}` : 'the provider accepts',
    really: () => asReply(mandates.declineMandate(id, why)),
    inModel: () => model.decline(world, subscription, why),
  }),
)

const fastForwarding = onSubscription(
  5,
  'fast-forward',
  is('active'),
  outcome,
  ({ world, real, subscription, id }, body) => {
    const path = `/v1/test-helpers/subscriptions/${id}/fast-forward-renewal`
    return {
      said: `fast-forward ${print(body)}`,
      really: () => send(`POST ${path}`, { key: real.key, body }),
      inModel: () => model.fastForward(world, subscription, body),
    }
  },
)

const simulating = onSubscription(
  4,
  'simulate-payment',
  ({ orders }) => orders.some(({ status }) => status === 'pending'),
  fc.record({ outcome: outcome.filter((each) => 'paymentStatus' in each), nth: fc.nat(20) }),
  ({ world, real, subscription }, { outcome: body, nth }) => {
    const { orders } = subscription
    const waiting = orders.flatMap(({ status }, index) => (status === 'pending' ? [index] : []))
    const index = waiting[nth % Math.max(waiting.length, 1)] ?? nth % orders.length
    const order = orders[index]
    const id = order && real.orderIds[ordersOf(world).indexOf(order)]
    if (!order || !id) throw new Error(`there is no order ${index}`)
    return {
      said: `simulate-payment ${print(body)} of order ${index}`,
      really: () => send(`POST /v1/test-helpers/orders/${id}/simulate-payment`, { key: real.key, body }),
      inModel: () => model.simulate(world, subscription, order, body),
    }
  },
)

const billing = onSubscription(
  3,
  'billing',
  isAlive,
  fc.record({ address: maybe(address), method: fc.option(method), isPending: rarely }),
  ({ world, real, subscription, id }, { address = subscription.address, method, isPending }) => {
    const chosen = method ?? (subscription.mandate ? null : 'paypal')
    const form: model.BillingUpdate = { address, method: chosen, mandate: isPending ? 'pending' : 'valid' }
    return {
      said: `billing update ${print(form)}`,
      really: () => updateBilling(real, id, form),
      inModel: () => model.updateBilling(world, subscription, form),
    }
  },
)

const onPlan = <Input>(
  name: string,
  input: fc.Arbitrary<Input>,
  deed: (target: { world: World; key: string; number: number; id: string }, input: Input) => Deed,
) =>
  fc.record({ number: fc.nat(7), input }).map(
    (given) =>
      new Command(
        name,
        given,
        () => true,
        (world, { key, planIds }, { number, input }) => deed({ world, key, number, id: planIds[number] ?? '' }, input),
      ),
  )

const pricing = onPlan('price of plan', planPrice, ({ world, key, number, id }, minor) => ({
  said: `plan ${number} costs ${print(minor)}`,
  really: () => send(`PATCH /v1/subscription-plans/${id}`, { key, body: { basePrice: price(minor) } }),
  inModel: () => model.changePlan(world, number, { price: minor }),
}))

const archiving = onPlan('archive plan', rarely, ({ world, key, number, id }, archived) => ({
  said: `plan ${number} is ${archived ? 'archived' : 'on sale'}`,
  really: () => send(`${archived ? 'POST' : 'DELETE'} /v1/subscription-plans/${id}/archive`, { key }),
  inModel: () => model.changePlan(world, number, { archived }),
}))

export const firstBuying = buying
export const commands = [
  ...[buying, buying, buying],
  ...Array.from({ length: 14 }, () => passing),
  ...changing,
  ...changingInPortal,
  ...describing,
  ...canceling,
  ...resuming,
  ...operating,
  ...declining,
  ...fastForwarding,
  ...simulating,
  ...billing,
  pricing,
  archiving,
  ...moneyCommands,
]
