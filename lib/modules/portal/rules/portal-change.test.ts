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

describe('directions', () => {
  const terms = (minor: bigint, quantity: number, interval: BillingInterval['interval'], intervalCount = 1) => ({
    ...aPlan({ price: euros(minor), billingInterval: { interval, intervalCount } }),
    quantity,
  })

  it.each([
    ['a larger quantity is an increase', terms(1000n, 3, 'month'), terms(1000n, 5, 'month'), 'increase'],
    ['a smaller quantity is a decrease', terms(1000n, 5, 'month'), terms(1000n, 3, 'month'), 'decrease'],
    ['a larger quantity of a free plan is a decrease', terms(0n, 3, 'month'), terms(0n, 5, 'month'), 'decrease'],
    ['a more expensive plan is an increase', terms(1000n, 1, 'month'), terms(1001n, 1, 'month'), 'increase'],
    ['a cheaper plan is a decrease', terms(1000n, 1, 'month'), terms(999n, 1, 'month'), 'decrease'],
    ['a plan at the same price is a decrease', terms(1000n, 1, 'month'), terms(1000n, 1, 'month'), 'decrease'],
    [
      'more units of a cheaper plan at a lower total are a decrease',
      terms(1000n, 2, 'month'),
      terms(600n, 3, 'month'),
      'decrease',
    ],
    [
      'more units of a cheaper plan at a higher total are an increase',
      terms(1000n, 2, 'month'),
      terms(700n, 3, 'month'),
      'increase',
    ],
    [
      'a year at the price of ten months is a decrease',
      terms(1000n, 1, 'month'),
      terms(10_000n, 1, 'year'),
      'decrease',
    ],
    [
      'a year at the price of twelve months is a decrease',
      terms(1000n, 1, 'month'),
      terms(12_000n, 1, 'year'),
      'decrease',
    ],
    [
      'a year at the price of thirteen months is an increase',
      terms(1000n, 1, 'month'),
      terms(13_000n, 1, 'year'),
      'increase',
    ],
    [
      'a month instead of a cheaper year is an increase',
      terms(10_000n, 1, 'year'),
      terms(1000n, 1, 'month'),
      'increase',
    ],
    [
      'three months at three times the monthly price are a decrease',
      terms(1000n, 1, 'month'),
      terms(3000n, 1, 'month', 3),
      'decrease',
    ],
    [
      'a week instead of 7 days at the same price is a decrease',
      terms(100n, 1, 'day', 7),
      terms(100n, 1, 'week'),
      'decrease',
    ],
    [
      'four weeks at the price of a month are an increase',
      terms(1000n, 1, 'month'),
      terms(1000n, 1, 'week', 4),
      'increase',
    ],
    [
      '365 days at the price of a year are an increase',
      terms(10_000n, 1, 'year'),
      terms(10_000n, 1, 'day', 365),
      'increase',
    ],
  ] as const)(
    'a change in the portal is an increase only if the price per day rises: %s',
    (_, before, after, direction) => {
      expect(directionOf(before, after)).toBe(direction)
    },
  )
})

describe('permitted changes', () => {
  it.each([
    ['no change is permitted by default', nothing, false, []],
    ['a change of the quantity is permitted if the storefront permits it', { ...nothing, quantity: true }, true, []],
    [
      'a change of the plan is permitted if the storefront lists the customer’s plan and another plan',
      { ...nothing, planIds: both.planIds },
      true,
      [pro.planId],
    ],
    [
      'a change of the plan is refused if the storefront does not list the customer’s plan',
      { ...nothing, planIds: [pro.planId] },
      false,
      [],
    ],
    [
      'a change of the plan is refused if the storefront lists only the customer’s plan',
      { ...nothing, planIds: [basic.planId] },
      false,
      [],
    ],
  ])('the portal offers only the changes that the storefront permits: %s', (_, allowed, isAllowed, plans) => {
    expect(allowsChange(allowed, basic)).toBe(isAllowed)
    expect(plansToSwitchTo(allowed, basic)).toEqual(plans)
  })

  const quantityOnly = { ...nothing, quantity: true }
  const plansOnly = { ...both, quantity: false }
  it.each([
    ['a choice of the present terms is permitted', nothing, { planId: basic.planId, quantity: 2 }, true],
    [
      'a choice of another quantity is permitted if the storefront permits quantities',
      quantityOnly,
      { planId: basic.planId, quantity: 3 },
      true,
    ],
    [
      'a choice of another quantity is refused if the storefront permits only plans',
      plansOnly,
      { planId: basic.planId, quantity: 3 },
      false,
    ],
    [
      'a choice of another plan is permitted if the storefront permits plans',
      plansOnly,
      { planId: pro.planId, quantity: 2 },
      true,
    ],
    [
      'a choice of another plan is refused if the storefront permits only quantities',
      quantityOnly,
      { planId: pro.planId, quantity: 2 },
      false,
    ],
    [
      'a choice of another plan and quantity is permitted if the storefront permits both',
      both,
      { planId: pro.planId, quantity: 3 },
      true,
    ],
    [
      'a choice of a plan that the storefront does not list is refused',
      both,
      { planId: 'subscription_plan_x', quantity: 2 },
      false,
    ],
  ])('the portal accepts only the choices that the storefront permits: %s', (_, allowed, choice, isAllowed) => {
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

describe('blocked changes', () => {
  const clear = { isInRecovery: false, owes: false, isSuspended: false }
  it.each([
    ['an active subscription can be changed', aSubscription(), {}, null],
    ['a subscription in its trial can be changed', aSubscription({ status: 'trial' }), {}, null],
    ['a canceled subscription cannot be changed', aSubscription({ status: 'on_grace_period' }), {}, 'grace'],
    ['a paused subscription cannot be changed', aSubscription({ status: 'paused' }), { owes: true }, 'paused'],
    [
      'a subscription with a declined payment cannot be changed',
      aSubscription(),
      { isInRecovery: true, owes: true },
      'recovery',
    ],
    [
      'a subscription with an open payment cannot be changed',
      aSubscription(),
      { owes: true, isSuspended: true },
      'owed',
    ],
    [
      'a subscription of a suspended storefront cannot be changed',
      scheduling({ quantity: 1 }),
      { isSuspended: true },
      'suspended',
    ],
    ['a subscription with a scheduled quantity cannot be changed', scheduling({ quantity: 1 }), {}, 'scheduled'],
    ['a subscription with a scheduled plan cannot be changed', scheduling({ plan: pro }), {}, 'scheduled'],
    ['a subscription with a scheduled price cannot be changed', scheduling({ price: euros(1n) }), {}, 'scheduled'],
    ['a subscription with only a scheduled billing anchor can be changed', scheduling({ anchor: 'renewal' }), {}, null],
  ] as const)(
    'the portal blocks a change while the state of the subscription or storefront prevents it: %s',
    (_, subscription, around, block) => {
      expect(changeBlock(subscription, { ...clear, ...around })).toBe(block)
    },
  )
})

describe('undo', () => {
  it.each([
    ['without a scheduled change, a customer has nothing to undo', aSubscription(), both, null],
    ['a customer can undo a scheduled quantity', scheduling({ quantity: 1 }), both, { quantity: 2 }],
    ['a customer can undo a scheduled plan', scheduling({ plan: pro }), both, { planId: basic.planId }],
    [
      'a customer can undo a scheduled plan and quantity',
      scheduling({ plan: pro, quantity: 1 }),
      both,
      { planId: basic.planId, quantity: 2 },
    ],
    [
      'the undo of a scheduled plan with the present quantity changes only the plan',
      scheduling({ plan: pro, quantity: 2 }),
      both,
      { planId: basic.planId },
    ],
    [
      'the undo of a scheduled quantity and price changes only the quantity',
      scheduling({ quantity: 1, price: euros(1n) }),
      both,
      { quantity: 2 },
    ],
    ['a customer cannot undo a scheduled price', scheduling({ price: euros(1n) }), both, null],
    ['a customer cannot undo a scheduled billing anchor', scheduling({ anchor: 'renewal' }), both, null],
    [
      'a customer cannot undo a scheduled quantity if the storefront permits no quantities',
      scheduling({ quantity: 1 }),
      { ...both, quantity: false },
      null,
    ],
    [
      'a customer cannot undo a scheduled plan that the storefront does not list',
      scheduling({ plan: pro }),
      { ...both, planIds: [basic.planId] },
      null,
    ],
    [
      'a customer cannot undo a scheduled plan if the storefront does not list the present plan',
      scheduling({ plan: pro }),
      { ...both, planIds: [pro.planId] },
      null,
    ],
    [
      'a customer cannot undo a scheduled plan and quantity if the storefront permits no quantities',
      scheduling({ plan: pro, quantity: 1 }),
      { ...both, quantity: false },
      null,
    ],
  ])(
    'the portal undoes only a scheduled plan or quantity, and only if the storefront lets customers change it: %s',
    (_, subscription, allowed, undo) => {
      expect(undoScheduled(subscription, allowed)).toEqual(undo)
    },
  )
})
