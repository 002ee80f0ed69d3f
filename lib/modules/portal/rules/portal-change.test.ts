import { describe, expect, it } from 'vitest'
import type { BillingInterval } from '../../../kernel/calendar.ts'
import { aBetterPlan, aPlan, aSubscription, euros } from '../../subscriptions/examples.ts'
import type { ScheduledUpdate, Subscription } from '../../subscriptions/rules/subscription.ts'
import {
  allowsChange,
  allowsChoice,
  changeBlock,
  directionOf,
  plansToSwitchTo,
  undoScheduled,
} from './portal-change.ts'

const [basic, pro] = [aPlan(), aBetterPlan()]
const nothing = { quantity: false, planIds: [] }
const both = { quantity: true, planIds: [basic.planId, pro.planId] }

describe('the direction of a change', () => {
  const terms = (minor: bigint, quantity: number, interval: BillingInterval['interval'], intervalCount = 1) => ({
    ...aPlan({ price: euros(minor), billingInterval: { interval, intervalCount } }),
    quantity,
  })

  it.each([
    ['a larger quantity', terms(1000n, 3, 'month'), terms(1000n, 5, 'month'), 'increase'],
    ['a smaller quantity', terms(1000n, 5, 'month'), terms(1000n, 3, 'month'), 'decrease'],
    ['a larger quantity of a free plan', terms(0n, 3, 'month'), terms(0n, 5, 'month'), 'decrease'],
    ['a dearer plan', terms(1000n, 1, 'month'), terms(1001n, 1, 'month'), 'increase'],
    ['a cheaper plan', terms(1000n, 1, 'month'), terms(999n, 1, 'month'), 'decrease'],
    ['a plan at the same price', terms(1000n, 1, 'month'), terms(1000n, 1, 'month'), 'decrease'],
    ['more units of a cheaper plan, for less', terms(1000n, 2, 'month'), terms(600n, 3, 'month'), 'decrease'],
    ['more units of a cheaper plan, for more', terms(1000n, 2, 'month'), terms(700n, 3, 'month'), 'increase'],
    ['a year for ten months', terms(1000n, 1, 'month'), terms(10_000n, 1, 'year'), 'decrease'],
    ['a year for twelve months', terms(1000n, 1, 'month'), terms(12_000n, 1, 'year'), 'decrease'],
    ['a year for thirteen months', terms(1000n, 1, 'month'), terms(13_000n, 1, 'year'), 'increase'],
    ['a month instead of a cheaper year', terms(10_000n, 1, 'year'), terms(1000n, 1, 'month'), 'increase'],
    ['a quarter for three months', terms(1000n, 1, 'month'), terms(3000n, 1, 'month', 3), 'decrease'],
    ['a week as 7 days', terms(100n, 1, 'day', 7), terms(100n, 1, 'week'), 'decrease'],
    ['four weeks for a month', terms(1000n, 1, 'month'), terms(1000n, 1, 'week', 4), 'increase'],
    ['365 days for a year', terms(10_000n, 1, 'year'), terms(10_000n, 1, 'day', 365), 'increase'],
  ] as const)('%s', (_, before, after, direction) => {
    expect(directionOf(before, after)).toBe(direction)
  })
})

describe('the changes that a storefront allows', () => {
  it.each([
    ['nothing', nothing, false, []],
    ['the quantity', { ...nothing, quantity: true }, true, []],
    ['two plans', { ...nothing, planIds: both.planIds }, true, [pro.planId]],
    ['plans without the customer’s', { ...nothing, planIds: [pro.planId] }, false, []],
    ['the customer’s plan alone', { ...nothing, planIds: [basic.planId] }, false, []],
  ])('%s', (_, allowed, isAllowed, plans) => {
    expect(allowsChange(allowed, basic)).toBe(isAllowed)
    expect(plansToSwitchTo(allowed, basic)).toEqual(plans)
  })

  const quantityOnly = { ...nothing, quantity: true }
  const plansOnly = { ...both, quantity: false }
  it.each([
    ['the present terms', nothing, { planId: basic.planId, quantity: 2 }, true],
    ['another quantity', quantityOnly, { planId: basic.planId, quantity: 3 }, true],
    ['another quantity, not allowed', plansOnly, { planId: basic.planId, quantity: 3 }, false],
    ['another plan', plansOnly, { planId: pro.planId, quantity: 2 }, true],
    ['another plan, not allowed', quantityOnly, { planId: pro.planId, quantity: 2 }, false],
    ['another plan and quantity', both, { planId: pro.planId, quantity: 3 }, true],
    ['an unlisted plan', both, { planId: 'subscription_plan_x', quantity: 2 }, false],
  ])('%s', (_, allowed, choice, isAllowed) => {
    expect(allowsChoice(allowed, { planId: basic.planId, quantity: 2 }, choice)).toBe(isAllowed)
  })
})

const update = (of: Partial<ScheduledUpdate>): ScheduledUpdate => ({
  plan: null,
  price: null,
  quantity: null,
  anchor: null,
  prorate: true,
  ...of,
})
const scheduling = (of: Partial<ScheduledUpdate>): Subscription =>
  aSubscription({ quantity: 2, scheduledUpdate: update(of) })

describe('what prevents a change', () => {
  const clear = { isInRecovery: false, owes: false, isSuspended: false }
  it.each([
    ['nothing', aSubscription(), {}, null],
    ['nothing in a trial', aSubscription({ status: 'trial' }), {}, null],
    ['a cancellation', aSubscription({ status: 'on_grace_period' }), {}, 'grace'],
    ['a pause', aSubscription({ status: 'paused' }), { owes: true }, 'paused'],
    ['a declined payment', aSubscription(), { isInRecovery: true, owes: true }, 'recovery'],
    ['an open payment', aSubscription(), { owes: true, isSuspended: true }, 'owed'],
    ['a suspended storefront', scheduling({ quantity: 1 }), { isSuspended: true }, 'suspended'],
    ['a scheduled quantity', scheduling({ quantity: 1 }), {}, 'scheduled'],
    ['a scheduled plan', scheduling({ plan: pro }), {}, 'scheduled'],
    ['a scheduled price', scheduling({ price: euros(1n) }), {}, 'scheduled'],
    ['no scheduled anchor', scheduling({ anchor: 'renewal' }), {}, null],
  ] as const)('%s', (_, subscription, around, block) => {
    expect(changeBlock(subscription, { ...clear, ...around })).toBe(block)
  })
})

describe('the undo of a scheduled change', () => {
  it.each([
    ['nothing scheduled', aSubscription(), both, null],
    ['a quantity', scheduling({ quantity: 1 }), both, { quantity: 2 }],
    ['a plan', scheduling({ plan: pro }), both, { planId: basic.planId }],
    ['both', scheduling({ plan: pro, quantity: 1 }), both, { planId: basic.planId, quantity: 2 }],
    ['a plan with the present quantity', scheduling({ plan: pro, quantity: 2 }), both, { planId: basic.planId }],
    ['a quantity beside a price', scheduling({ quantity: 1, price: euros(1n) }), both, { quantity: 2 }],
    ['a price', scheduling({ price: euros(1n) }), both, null],
    ['an anchor', scheduling({ anchor: 'renewal' }), both, null],
    ['a quantity that may not be changed', scheduling({ quantity: 1 }), { ...both, quantity: false }, null],
    ['a plan that may not be left', scheduling({ plan: pro }), { ...both, planIds: [basic.planId] }, null],
    ['a plan that may not be kept', scheduling({ plan: pro }), { ...both, planIds: [pro.planId] }, null],
    ['a plan, with a fixed quantity', scheduling({ plan: pro, quantity: 1 }), { ...both, quantity: false }, null],
  ])('%s', (_, subscription, allowed, undo) => {
    expect(undoScheduled(subscription, allowed)).toEqual(undo)
  })
})
