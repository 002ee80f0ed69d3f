import type { z } from 'zod'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { orderResource } from '../orders/resource.ts'
import { findOrder } from '../orders/store.ts'
import { paymentStates } from '../payments/rules/state.ts'
import { simulate as simulateAtProvider } from '../payments/sandbox/provider.ts'
import { lastPayment, type Payment } from '../payments/store.ts'
import { db } from '../platform/db.ts'
import { Again, type TaskScope } from '../platform/tasks.ts'
import { type Caller, transact, type Work } from '../platform/transact.ts'
import { chargeFailed } from '../recovery/follow.ts'
import { recoveryOfOrder } from '../recovery/store.ts'
import { lockCharge, lockOrder, settle, settleSimulated } from '../subscriptions/settle.ts'
import type { simulatePayment } from './contract.ts'
import { type Outcome, outcomeOf } from './rules/outcome.ts'
import * as store from './store.ts'
import { runSimulation, soon } from './tasks.ts'

/**
 * Asks for an outcome of an order's pending payment on a saved method; answers the order, still unpaid. Refuses `not_found`,
 * `already_in_flight`, and `validation_failed` when nothing is pending, or is to be paid that cannot be charged yet.
 */
export async function simulate(caller: Caller, orderId: string, body: z.infer<typeof simulatePayment.body & object>) {
  return transact(caller, async (work) => {
    const { sql, now, newId } = work
    if (!(await findOrder(sql, caller, orderId))) throw new Refusal('not_found')
    const nothingPending = invalid('orderId', 'The order has no pending payment on a saved payment method.')
    const locked = await lockOrder(work, orderId)
    if (!locked) throw nothingPending
    if (await store.hasOpenSimulation(sql, orderId)) throw new Refusal('already_in_flight')
    const payment = await lastPayment(sql, orderId)
    // The buyer decides on the provider's page.
    if (payment?.billingLinkId) throw nothingPending
    const isAwaited = payment ? !paymentStates.isFinal(payment.status) : (await recoveryOfOrder(sql, orderId)) === null
    if (locked.order.status !== 'pending' || !isAwaited) throw nothingPending
    const outcome = outcomeOf(body)
    if (!outcome) throw new Error('a simulation needs an outcome')
    if (outcome.paymentStatus === 'paid' && !payment)
      throw invalid('paymentStatus', 'There is no chargeable payment: the payment method is not active yet.')
    const id = newId('simulation_')
    await store.insertSimulation(sql, caller, { id, orderId, outcome, createdAt: now })
    await work.later(runSimulation, { key: id, data: { id }, dueAt: soon() })
    return orderResource(locked.order)
  })
}

/** The task of a simulation. A payment that has its outcome by then keeps it. */
export async function simulateNow(scope: TaskScope, { id }: { id: string }): Promise<void> {
  const asked = await store.waitingSimulation(db(), scope, id)
  const before = asked && (await lastPayment(db(), asked.orderId))
  const news = asked && before ? await tellProvider(scope, before, asked.outcome) : null
  await transact(scope, async (work) => {
    const simulation = await store.waitingSimulation(work.sql, scope, id)
    if (!simulation) return
    // The charge is on its way to the provider: it is there in a moment.
    if (before && before.provider !== 'simulated' && before.ref === null && before.status === 'created')
      return new Again(soon(500))
    await store.simulated(work.sql, id)
    const charge = before && (await lockCharge(work, before.id))
    if (charge && news) return settle(work, charge, news, { simulated: true })
    if (charge?.payment.provider === 'simulated' && !paymentStates.isFinal(charge.payment.status))
      return settleSimulated(work, charge, simulation.outcome)
    if (!before) await failUncharged(work, simulation)
    return
  })
}

/** At the provider first: what it knows and what we know must not differ. */
async function tellProvider(scope: TaskScope, { provider, ref }: Payment, outcome: Outcome) {
  if (provider === 'simulated' || ref === null) return null
  const { paymentStatus: status, failureReason } = outcome
  return simulateAtProvider(scope, ref, { status, failureReason })
}

/** There was nothing to charge yet: it fails all the same, and its recovery begins. */
async function failUncharged(work: Work, { orderId, outcome }: store.Simulation): Promise<void> {
  const locked = await lockOrder(work, orderId)
  if (locked?.order.status !== 'pending' || !outcome.failureReason) return
  await chargeFailed(work, locked, { reason: outcome.failureReason, simulated: true, mandateId: null })
}
