import type { Answer } from './answer.ts'
import { endForNonpayment, writeOff } from './ending.ts'
import { beganAt, charge, holdsRenewals, setNextStep, setTimer, take } from './passing-time.ts'
import { softReasons, steps } from './recovery-schedule.ts'
import {
  later,
  type Order,
  type Recovery,
  recordOrderEvent,
  type Subscription,
  settlementSeconds,
  type World,
} from './world.ts'

/**
 * This file models sales whose direct debit the bank returned. Such a sale must be paid again, and its recovery makes
 * no charge until the buyer acts.
 */

const isOngoing = ({ status }: Subscription): boolean => status !== 'created' && status !== 'canceled'
export const isOwed = ({ isSale, status, hasInvoice }: Order): boolean => isSale && status === 'pending' && hasInvoice

export function beginSaleRecovery(world: World, order: Order, reason: string): void {
  const kind = softReasons.includes(reason) ? 'soft' : 'hard'
  const lastFailure = { reason, at: world.now }
  const recovery = beganAt(world, order, { kind, helped: false, lastFailure, failureReason: reason, nextStep: null })
  order.recovery = recovery
  recordOrderEvent(order, 'order.payment_failed')
  remind(world, recovery)
}

function remind(world: World, recovery: Recovery): void {
  recovery.stepsDone++
  setNextStep(world, recovery)
}

export function takeSaleStep(world: World, order: Order, recovery: Recovery): void {
  if (order.attempt) {
    recovery.nextStep = { at: later(world.now, { days: 1 }), decided: ++world.decisions }
    return
  }
  if (recovery.stepsDone < steps[recovery.kind].length - 1) {
    remind(world, recovery)
    return
  }
  recovery.open = false
  writeOff(world, order)
  for (const subscription of order.subscriptions) if (isOngoing(subscription)) endForNonpayment(world, subscription)
}

export interface PaidOnPage {
  readonly method: 'creditcard' | 'paypal' | 'directdebit'
  readonly outcome: 'paid' | 'failed' | 'canceled'
}

/**
 * Pays a sale on the checkout page. The page ignores the payment if the sale needs no payment or is already being paid,
 * or if the page does not offer the method.
 */
export function payOnPage(world: World, order: Order, { method, outcome }: PaidOnPage): Answer {
  const isOffered = method !== 'directdebit' || order.country !== 'CA'
  if (!isOwed(order) || !order.recovery?.open || order.attempt || !isOffered) return { status: 200 }
  if (outcome !== 'paid') failSale(world, order, outcome === 'failed' ? 'general_failure' : null)
  else if (method === 'directdebit') {
    const dueAt = later(world.now, { seconds: settlementSeconds })
    order.attempt = { mandate: null, by: 'bank', dueAt, decided: ++world.decisions }
  } else paySale(world, order)
  return { status: 200 }
}

/** Charges the sale on a payment method that a subscription got after the debit was returned. Each method is charged one time. */
export function chargeOnNewMethod(world: World, order: Order, sold: readonly Subscription[]): void {
  const { recovery, attempt, tried } = order
  if (!isOwed(order) || !recovery?.open || attempt) return
  const subscription = sold.find(
    (each) =>
      isOngoing(each) &&
      each.mandate !== null &&
      !each.mandate.pending &&
      each.mandate.madeAt >= recovery.startedAt &&
      !tried.includes(each.mandate),
  )
  if (!subscription?.mandate) return
  tried.push(subscription.mandate)
  charge(world, subscription, order, { helped: false })
}

export function paySale(world: World, order: Order): void {
  const { attempt, recovery } = order
  Object.assign(order, { attempt: null, status: 'paid', paidWith: attempt?.mandate ?? null })
  order.isDebit = attempt?.by === 'bank'
  take(world, order, 'provider')
  if (recovery) recovery.open = false
  recordOrderEvent(order, 'order.paid')
  for (const each of order.subscriptions) if (isOngoing(each) && !holdsRenewals(each)) setTimer(world, each)
}

export function failSale(world: World, order: Order, reason: string | null): void {
  order.attempt = null
  if (!order.recovery?.open) {
    writeOff(world, order)
    return
  }
  if (reason) order.recovery.lastFailure = { reason, at: world.now }
  chargeOnNewMethod(world, order, order.subscriptions)
}

/**
 * Writes off an unpaid sale whose last subscription has ended. A sale with a pending charge is not written off, because
 * the charge may still pay it.
 */
export function writeOffSale(world: World, { orders }: Subscription): void {
  for (const order of orders.filter(isOwed)) {
    if (order.subscriptions.some(({ status }) => status !== 'canceled')) continue
    if (order.recovery) order.recovery.open = false
    if (!order.attempt) writeOff(world, order)
  }
}
