import type { z } from 'zod'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { isSimulated, lastPayment, type Payment } from '../../modules/payments/store.ts'
import { paymentFailure } from '../../modules/recovery/rules/index.ts'
import { recoveryOfOrder } from '../../modules/recovery/store.ts'
import type { simulatePayment } from '../../modules/test-helpers/contract.ts'
import { notChargeable, type Outcome, outcomeOf } from '../../modules/test-helpers/rules/outcome.ts'
import * as store from '../../modules/test-helpers/store.ts'
import { runSimulation, soon } from '../../modules/test-helpers/tasks.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { testControlsFor } from '../../providers/index.ts'
import { applyChargeUpdates, applySimulatedOutcome, lockCharge, lockOrder } from '../collection/apply-charge-updates.ts'
import { chargeFailed } from '../recovery/charge-outcome.ts'

/** Returns the unpaid order. A task sets the outcome later. Refuses with `not_found`, `already_in_flight`, or `validation_failed`. */
export async function simulate(
  context: RequestContext,
  orderId: string,
  body: z.infer<typeof simulatePayment.body & object>,
) {
  return transact(context, async (tx) => {
    const { sql, now, newId } = tx
    if (!(await findOrder(sql, context, orderId))) throw new Refusal('not_found')
    const locked = await lockOrder(tx, orderId)
    if (locked && (await store.hasOpenSimulation(sql, orderId))) throw new Refusal('already_in_flight')
    const problems = await simulationProblems(sql, locked?.order ?? null, body)
    if (!locked || Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
    const outcome = outcomeOf(body)
    if (!outcome) throw new Error('a simulation needs an outcome')
    const id = newId('simulation_')
    await store.insertSimulation(sql, context, { id, orderId, outcome, createdAt: now })
    await tx.enqueue(runSimulation, { key: id, data: { id }, dueAt: soon() })
    const recovery = await recoveryOfOrder(sql, orderId)
    return orderResource({
      ...locked.order,
      paymentFailure: recovery?.status === 'open' ? paymentFailure(recovery) : null,
    })
  })
}

export async function validateSimulation(
  tenant: Tenant,
  orderId: string,
  body: WellFormed<z.infer<typeof simulatePayment.body & object>>,
): Promise<FieldErrors> {
  const order = await findOrder(db(), tenant, orderId)
  return order ? simulationProblems(db(), order.subscriptionId === null ? null : order, body) : {}
}

async function simulationProblems(
  sql: Sql,
  order: Order | null,
  { paymentStatus }: Parameters<typeof outcomeOf>[0],
): Promise<FieldErrors> {
  const nothingPending = { orderId: ['The order has no pending payment on a saved payment method.'] }
  if (!order) return nothingPending
  const payment = await lastPayment(sql, order.id)
  // A verification cannot be simulated, because the buyer decides it on the provider's page.
  if (payment?.purpose.kind === 'verification') return nothingPending
  const isAwaited = payment ? !paymentStates.isFinal(payment.status) : (await recoveryOfOrder(sql, order.id)) === null
  if (order.status !== 'pending' || !isAwaited) return nothingPending
  return paymentStatus === 'paid' && !payment ? { paymentStatus: [notChargeable] } : {}
}

/** Applies the simulated outcome to the payment. Does not change a payment that already has an outcome. */
export async function simulateNow(tenant: TaskContext, { id }: { id: string }): Promise<void> {
  const asked = await store.waitingSimulation(db(), tenant, id)
  const before = asked && (await lastPayment(db(), asked.orderId))
  const update = asked && before ? await simulateAtProvider(tenant, before, asked.outcome) : null
  await transact(tenant, async (tx) => {
    const simulation = await store.waitingSimulation(tx.sql, tenant, id)
    if (!simulation) return
    // The provider has not received the charge yet, so the task retries soon.
    if (before && !isSimulated(before) && before.ref === null && before.status === 'created')
      return new Reschedule(soon(500), 'real')
    await store.simulated(tx.sql, id)
    const charge = before && (await lockCharge(tx, before.id))
    if (charge && update) return applyChargeUpdates(tx, [{ charge, update, simulated: true }])
    if (charge && isSimulated(charge.payment) && !paymentStates.isFinal(charge.payment.status))
      return applySimulatedOutcome(tx, charge, simulation.outcome)
    if (!before) await failUncharged(tx, simulation)
    return
  })
}

/** Sets the outcome at the provider first, so that the provider's records agree with our records. */
async function simulateAtProvider(tenant: TaskContext, payment: Payment, outcome: Outcome) {
  const controls = testControlsFor(payment)
  if (!controls || payment.ref === null) return null
  const { paymentStatus: status, failureReason } = outcome
  return controls.simulate(tenant, payment.ref, { status, failureReason })
}

async function failUncharged(tx: Transaction, { orderId, outcome }: store.Simulation): Promise<void> {
  const locked = await lockOrder(tx, orderId)
  if (locked?.order.status !== 'pending' || !outcome.failureReason) return
  await chargeFailed(tx, locked, { reason: outcome.failureReason, simulated: true, mandateId: null })
}
