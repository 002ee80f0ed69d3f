import { hostedPath } from '../../kernel/hosted-pages.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { transact } from '../../modules/events/transact.ts'
import type { TestChoice } from '../../modules/payments/page.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { syncPayment } from '../../modules/payments/tasks.ts'
import type { TestPayment } from '../../modules/payments/test-controls.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { asProviderPayment, chargeMandate, settlementOf } from './charge.ts'
import * as moneyBack from './money-back.ts'
import { decide, outcomesOf } from './outcome.ts'
import * as store from './store.ts'
import { settleDirectDebit } from './tasks.ts'

/** The sandbox has separate tables and transactions, so that tests can interrupt the communication between the sandbox and the service. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',

  async createFirstPayment(tenant, { idempotencyKey, ...request }) {
    return transact(withoutCompletion(tenant), async ({ sql, now, newId }) => {
      const payment: store.SandboxPayment = {
        ...request,
        mandateRef: null,
        ref: newId('sandbox_'),
        idempotencyKey,
        storefrontId: tenant.storefrontId,
        status: 'open',
        failureReason: null,
        mandate: null,
        settlesAt: null,
        returns: false,
        createdAt: now,
      }
      const isNew = await store.insertSandboxPayment(sql, payment)
      const ref = isNew ? payment.ref : (await store.sandboxPaymentByKey(sql, idempotencyKey))?.ref
      if (!ref) throw new Error('the test provider lost a payment')
      return { ref, redirectUrl: pagePath(ref) }
    })
  },

  chargeMandate: (tenant, request) => chargeMandate({ tenant, request }),

  async fetchPayment(tenant, ref) {
    const payment = await store.findSandboxPayment(db(), ref)
    if (payment?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    return asProviderPayment(payment)
  },

  async cancelPayment(tenant, ref) {
    return transact(withoutCompletion(tenant), async ({ sql }) => {
      const payment = await store.lockSandboxPayment(sql, ref)
      if (payment?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
      if (payment.status !== 'open') return asProviderPayment(payment)
      const canceled = { ...payment, status: 'canceled' } as const
      await store.saveSandboxPayment(sql, canceled)
      return asProviderPayment(canceled)
    })
  },

  refund: moneyBack.refund,
  fetchChargeback: moneyBack.fetchChargeback,
  answerChargeback: moneyBack.answerChargeback,
  submitEvidence: moneyBack.submitEvidence,

  testControls: {
    async paymentOfLink(token) {
      const ref = openLinkToken('payment', 'sandbox_', token)
      return ref === null ? null : store.findSandboxPayment(db(), ref)
    },
    pagePath,
    outcomesOf,
    choose,
    simulate,
    declineMandate: ({ storefrontId }, mandateRef, { reason, times }) =>
      transact({ storefrontId, testmode: true }, async ({ sql }) => {
        await store.setDecline(sql, { mandateRef, storefrontId, reason, times })
        if (reason === null) await store.setReturns(sql, { mandateRef, storefrontId, code: null })
      }),
    returnDebits: ({ storefrontId }, mandateRef, code) =>
      transact({ storefrontId, testmode: true }, ({ sql }) =>
        store.setReturns(sql, { mandateRef, storefrontId, code }),
      ),
    refuseRefund: moneyBack.refuseRefund,
    raiseChargeback: moneyBack.raiseChargeback,
    moveChargeback: moneyBack.moveChargeback,
    paymentsByKeys: (idempotencyKeys) => store.sandboxPaymentsByKeys(db(), idempotencyKeys),
    holdings: store.sandboxHolds,
  },
}

async function choose(
  { storefrontId, ref }: Pick<TestPayment, 'storefrontId' | 'ref'>,
  choice: TestChoice,
): Promise<void> {
  await transact({ storefrontId, testmode: true }, async ({ sql, now, enqueue }) => {
    const payment = await store.lockSandboxPayment(sql, ref)
    if (payment?.status !== 'open' || !outcomesOf(payment).includes(choice.outcome)) return
    const settlesAt = settlementOf(payment.createdAt)
    const decided = decide(payment, choice, settlesAt)
    await store.saveSandboxPayment(sql, decided)
    await enqueue(syncPayment, { key: ref, data: { ref }, dueAt: now })
    if (decided.status === 'pending') await enqueue(settleDirectDebit, { key: ref, data: { ref }, dueAt: settlesAt })
  })
}

async function simulate(
  tenant: Tenant,
  ref: string,
  outcome: Pick<store.SandboxPayment, 'status' | 'failureReason'>,
): Promise<ProviderPayment> {
  return transact(withoutCompletion(tenant), async (tx) => {
    const payment = await store.lockSandboxPayment(tx.sql, ref)
    if (payment?.storefrontId !== tenant.storefrontId) throw new Refusal('not_found')
    if (payment.status !== 'pending') return asProviderPayment(payment)
    const simulated = { ...payment, ...outcome }
    await store.saveSandboxPayment(tx.sql, simulated)
    if (simulated.status === 'paid' && payment.returns) await moneyBack.scheduleReturn(tx, ref)
    return asProviderPayment(simulated)
  })
}

export async function payDirectDebit(tenant: TaskContext, ref: string): Promise<void> {
  await transact(tenant, async (tx) => {
    const { sql, now, enqueue } = tx
    const payment = await store.lockSandboxPayment(sql, ref)
    if (payment?.status !== 'pending') return
    await store.saveSandboxPayment(sql, { ...payment, status: 'paid' })
    await enqueue(syncPayment, { key: ref, data: { ref }, dueAt: now })
    if (payment.returns) await moneyBack.scheduleReturn(tx, ref)
  })
}

function pagePath(ref: string): string {
  return hostedPath('pay', linkToken('payment', ref))
}
