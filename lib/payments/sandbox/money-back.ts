import { chargebackStates } from '../../chargebacks/rules/state.ts'
import type { Money } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../platform/clock.ts'
import { db } from '../../platform/db.ts'
import { step, transact } from '../../platform/transact.ts'
import type { PaymentProvider, ProviderChargeback } from '../provider.ts'
import { chargebackNews } from '../tasks.ts'
import * as store from './store.ts'

/** What the test provider does with money that goes back: in books and transactions of its own, as with payments. */

/** Refused for a refund that was chosen to be, and where more would go back than was paid and is still there. */
export const refund: PaymentProvider['refund'] = (scope, { idempotencyKey, paymentRef, amount }) =>
  transact(step(scope), async ({ sql, now, newId }) => {
    const payment = await store.lockSandboxPayment(sql, paymentRef)
    if (payment?.storefrontId !== scope.storefrontId) throw new Refusal('not_found')
    const known = await store.sandboxRefundByKey(sql, idempotencyKey)
    if (known) return known
    const isCovered = (await store.goneOf(sql, payment)) + amount.minor <= payment.amount.minor
    const isMade = isCovered && !(await store.isRefused(sql, idempotencyKey))
    const { storefrontId } = scope
    const made = { ref: newId('sandbox_'), status: isMade ? ('refunded' as const) : ('failed' as const) }
    await store.insertSandboxRefund(sql, { ...made, idempotencyKey, storefrontId, paymentRef, amount, createdAt: now })
    return made
  })

export async function fetchChargeback(scope: Scope, ref: string): Promise<ProviderChargeback> {
  const chargeback = await store.findSandboxChargeback(db(), ref)
  if (chargeback?.storefrontId !== scope.storefrontId) throw new Refusal('not_found')
  const { storefrontId: _, createdAt: __, ...told } = chargeback
  return told
}

/** The buyer's bank disputes a payment. Answers the chargeback's name at the provider. Refuses `not_found` and `illegal_move`. */
export async function raiseChargeback(
  scope: Scope,
  paymentRef: string,
  { amount, reason }: { amount: Money; reason: string },
): Promise<string> {
  return transact(step(scope), async ({ sql, now, newId, later }) => {
    const payment = await store.lockSandboxPayment(sql, paymentRef)
    if (payment?.storefrontId !== scope.storefrontId) throw new Refusal('not_found')
    if (payment.status !== 'paid') throw new Refusal('illegal_move')
    const ref = newId('sandbox_')
    const { storefrontId } = scope
    const raised = { ref, storefrontId, paymentRef, amount, reason, status: 'pending' as const, createdAt: now }
    await store.insertSandboxChargeback(sql, raised)
    await later(chargebackNews, { key: ref, data: { ref }, dueAt: now })
    return ref
  })
}

/** A dispute that was rejected as being over more than was paid is won by the merchant. */
export async function answerChargeback(scope: Scope, ref: string, answer: 'accepted' | 'rejected'): Promise<void> {
  await transact(step(scope), async ({ sql }) => {
    const chargeback = await store.lockSandboxChargeback(sql, ref)
    if (chargeback?.storefrontId !== scope.storefrontId) throw new Refusal('not_found')
    if (chargeback.status !== 'pending') return
    await store.saveSandboxChargeback(sql, { ...chargeback, status: answer === 'rejected' ? 'won' : 'accepted' })
  })
}

/** The dispute goes on. Refuses `not_found`, and `illegal_move` where it cannot come to that. */
export async function moveChargeback(scope: Scope, ref: string, to: ProviderChargeback['status']): Promise<void> {
  await transact(step(scope), async ({ sql, now, later }) => {
    const chargeback = await store.lockSandboxChargeback(sql, ref)
    if (chargeback?.storefrontId !== scope.storefrontId) throw new Refusal('not_found')
    const move = chargebackStates
      .transitions()
      .find(({ from, to: target }) => from === chargeback.status && target === to)
    if (!move) throw new Refusal('illegal_move')
    await store.saveSandboxChargeback(sql, { ...chargeback, status: to })
    await later(chargebackNews, { key: ref, data: { ref }, dueAt: now })
  })
}
