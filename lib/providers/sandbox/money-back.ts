import { addDuration } from '../../kernel/calendar.ts'
import type { Money } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { chargebackStates } from '../../modules/chargebacks/rules/state.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { ProviderChargeback } from '../../modules/payments/provider-data.ts'
import { debitReturnOf, returnCodes } from '../../modules/payments/rules/returned-debit.ts'
import { syncChargeback } from '../../modules/payments/tasks.ts'
import type { TestControls } from '../../modules/payments/test-controls.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { returnDays, returnFinalDays } from './outcome.ts'
import * as store from './store.ts'
import * as tasks from './tasks.ts'

export const refund: PaymentProvider['refund'] = (tenant, { idempotencyKey, paymentRef, amount }) =>
  transact(withoutCompletion(tenant), async ({ sql, now, newId }) => {
    const payment = await store.lockSandboxPayment(sql, paymentRef)
    if (payment?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    const known = await store.sandboxRefundByKey(sql, idempotencyKey)
    if (known) return known
    const isCovered = (await store.goneOf(sql, payment)) + amount.minor <= payment.amount.minor
    const isMade = isCovered && !(await store.isRefused(sql, idempotencyKey))
    const { storefrontId } = tenant
    const made = { ref: newId('sandbox_'), status: isMade ? ('refunded' as const) : ('failed' as const) }
    await store.insertSandboxRefund(sql, { ...made, idempotencyKey, storefrontId, paymentRef, amount, createdAt: now })
    return made
  })

/** Simulates a bank that refuses a refund. Returns false if the refund is final. */
export const refuseRefund: TestControls['refuseRefund'] = (tenant, { paymentRef, idempotencyKey }) =>
  transact(withoutCompletion(tenant), async ({ sql }) => {
    const payment = await store.lockSandboxPayment(sql, paymentRef)
    if (payment?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    if (await store.sandboxRefundByKey(sql, idempotencyKey)) return false
    await store.setRefusal(sql, tenant.storefrontId, idempotencyKey)
    return true
  })

/** The deadline for evidence in days, as at card networks. The sandbox does nothing at the deadline, because an operator decides the dispute. */
const daysToRespond = 14

export async function fetchChargeback(tenant: Tenant, ref: string): Promise<ProviderChargeback> {
  const chargeback = await store.findSandboxChargeback(db(), ref)
  if (chargeback?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
  const { storefrontId: _, createdAt, evidenceId: __, ...known } = chargeback
  const reported = { ...known, respondBy: inDays(createdAt, daysToRespond) }
  const returned = returnOf(chargeback.reason)
  if (!returned) return reported
  if ('disputed' in returned) return { ...reported, reason: returned.disputed }
  return { ...reported, reason: returned.failed, returnedFor: returned.failed }
}

const returnOf = (reason: string) => (returnCodes.includes(reason) ? debitReturnOf(reason) : null)

const isFinal = (reason: string): boolean => {
  const returned = returnOf(reason)
  return returned !== null && 'failed' in returned
}

/** Returns the reference of the chargeback. Throws `not_found` or `illegal_move`. */
export async function raiseChargeback(
  tenant: Tenant,
  paymentRef: string,
  { amount, reason }: { amount: Money; reason: string },
): Promise<string> {
  return transact(withoutCompletion(tenant), async (tx) => {
    const payment = await store.lockSandboxPayment(tx.sql, paymentRef)
    if (payment?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    if (payment.status !== 'paid') throw new Refusal('illegal_move')
    return insertRaised(tx, paymentRef, { amount, reason })
  })
}

async function insertRaised(
  { sql, now, newId, enqueue, storefrontId }: Transaction,
  paymentRef: string,
  disputed: { amount: Money; reason: string },
): Promise<string> {
  const ref = newId('sandbox_')
  const status = isFinal(disputed.reason) ? ('lost' as const) : ('pending' as const)
  const raised = { ref, storefrontId, paymentRef, ...disputed, status, createdAt: now }
  await store.insertSandboxChargeback(sql, raised)
  await enqueue(syncChargeback, { key: ref, data: { ref, paymentRef }, dueAt: now })
  return ref
}

/**
 * Receives our answer to a pending dispute. If we rejected the dispute, the merchant wins. If we accepted the dispute, the buyer keeps the
 * money. Ignores a dispute that is not pending. Throws `not_found`.
 */
export async function answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected'): Promise<void> {
  await transact(withoutCompletion(tenant), async ({ sql }) => {
    const chargeback = await store.lockSandboxChargeback(sql, ref)
    if (chargeback?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    if (chargeback.status !== 'pending') return
    await store.saveSandboxChargeback(sql, { ...chargeback, status: answer === 'rejected' ? 'won' : 'accepted' })
  })
}

/** Stores the evidence and decides nothing. An operator decides the dispute in place of the bank (`cli chargeback move`). */
export const submitEvidence: NonNullable<PaymentProvider['submitEvidence']> = (tenant, { ref, evidence }) =>
  transact(withoutCompletion(tenant), async (tx) => {
    const chargeback = await store.lockSandboxChargeback(tx.sql, ref)
    if (chargeback?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    const evidenceId = evidence[0]?.id ?? null
    if (chargeback.status !== 'pending') return chargeback.evidenceId === evidenceId ? 'taken' : 'late'
    await saveMoved(tx, { ...chargeback, evidenceId }, 'evidence_submitted')
    return 'taken'
  })

export async function moveChargeback(tenant: Tenant, ref: string, to: ProviderChargeback['status']): Promise<void> {
  await transact(withoutCompletion(tenant), async (tx) => {
    const chargeback = await store.lockSandboxChargeback(tx.sql, ref)
    if (chargeback?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    const move = chargebackStates
      .transitions()
      .find(({ from, to: target }) => from === chargeback.status && target === to)
    if (!move) throw new Refusal('illegal_move')
    await saveMoved(tx, chargeback, to)
  })
}

async function saveMoved(
  { sql, now, enqueue }: Transaction,
  chargeback: store.SandboxChargeback,
  status: ProviderChargeback['status'],
): Promise<void> {
  const { ref, paymentRef } = chargeback
  await store.saveSandboxChargeback(sql, { ...chargeback, status })
  await enqueue(syncChargeback, { key: ref, data: { ref, paymentRef }, dueAt: now })
}

export const scheduleReturn = ({ now, enqueue }: Transaction, ref: string): Promise<void> =>
  enqueue(tasks.returnDirectDebit, { key: ref, data: { ref }, dueAt: inDays(now, returnDays) })

/**
 * Creates a chargeback of the full amount for a returned debit. If the customer demanded the return, the chargeback is
 * lost a day later.
 */
export async function returnDebit(tenant: TaskContext, paymentRef: string): Promise<void> {
  await transact(tenant, async (tx) => {
    const payment = await store.lockSandboxPayment(tx.sql, paymentRef)
    if (payment?.status !== 'paid') return
    const code = (payment.mandateRef && (await store.returnCodeOf(tx.sql, payment.mandateRef))) ?? 'AM04'
    const ref = await insertRaised(tx, paymentRef, { amount: payment.amount, reason: code })
    if (!isFinal(code))
      await tx.enqueue(tasks.endReturn, { key: ref, data: { ref }, dueAt: inDays(tx.now, returnFinalDays) })
  })
}

/**
 * Marks the chargeback of a returned debit as lost, unless an operator has already decided the chargeback (`cli
 * chargeback move`).
 */
export async function endReturn(tenant: TaskContext, ref: string): Promise<void> {
  await transact(tenant, async (tx) => {
    const chargeback = await store.lockSandboxChargeback(tx.sql, ref)
    if (chargeback?.status === 'pending') await saveMoved(tx, chargeback, 'lost')
  })
}

const inDays = (from: Date, days: number): Date => addDuration(from, { days }) ?? from
