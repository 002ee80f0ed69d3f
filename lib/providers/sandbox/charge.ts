import { randomInt } from 'node:crypto'
import { addDuration } from '../../kernel/calendar.ts'
import { transact } from '../../modules/events/transact.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { gathered } from '../../platform/gathered.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { type TestMethod, testMandates } from './mandates.ts'
import { charged, settlementSeconds } from './outcome.ts'
import * as store from './store.ts'
import { settleDirectDebit } from './tasks.ts'

interface Charge {
  readonly tenant: Tenant
  readonly request: Parameters<PaymentProvider['chargeMandate']>[1]
}

/**
 * Collects concurrent charges, because one batch of renewals requests dozens of charges. One statement per storefront
 * writes all charges whose outcome is known immediately. Each pending charge, and each charge on a mandate with a
 * limited number of declines, has its own transaction.
 */
export const chargeMandate = gathered(({ tenant }: Charge) => tenant.storefrontId, chargeAll)

async function chargeAll(charges: readonly Charge[]): Promise<ProviderPayment[]> {
  const refs = charges.map(({ request }) => request.mandateRef)
  const treatments = await store.treatmentsOf(db(), refs)
  const isLimited = ({ request }: Charge) => treatments.get(request.mandateRef)?.isLimited === true
  const together = charges.filter((charge) => !isLimited(charge))
  const charged = together.length > 0 ? await chargeTogether(together, treatments) : []
  const byKey = new Map(together.map(({ request }, index) => [request.idempotencyKey, charged[index]]))
  const all: ProviderPayment[] = []
  for (const charge of charges) all.push(byKey.get(charge.request.idempotencyKey) ?? (await chargeLimited(charge)))
  return all
}

const chargeLimited = ({ tenant, request }: Charge): Promise<ProviderPayment> =>
  transact(apart(tenant), async ({ sql, enqueue }) => {
    const treatment = await store.lockTreatment(sql, request.mandateRef)
    const kept = async () => (await store.sandboxPaymentsByKeys(sql, [request.idempotencyKey]))[0]
    const before = await kept()
    if (before) return asProviderPayment(before)
    const payment = drafted({ tenant, request }, treatment, await clockNow(sql, tenant))
    if (!(await store.insertSandboxPayment(sql, payment)))
      throw new Error('the test provider already has a charge with this key')
    if (payment.status === 'failed' && !request.isDisputed) await store.countDecline(sql, request.mandateRef)
    if (payment.status === 'pending') {
      const dueAt = payment.settlesAt ?? payment.createdAt
      await enqueue(settleDirectDebit, { key: payment.ref, data: { ref: payment.ref }, dueAt })
    }
    return asProviderPayment(payment)
  })

type Treatments = Awaited<ReturnType<typeof store.treatmentsOf>>

async function chargeTogether(charges: readonly Charge[], treatments: Treatments): Promise<ProviderPayment[]> {
  const payments = await draftPayments(charges, treatments)
  const isPending = ({ status }: store.SandboxPayment) => status === 'pending'
  const decided = payments.filter((payment) => !isPending(payment))
  const inserted = await Promise.all([
    decided.length > 0 ? store.insertSandboxPayments(db(), decided) : 0,
    ...charges.map(async ({ tenant }, index) => {
      const payment = payments[index]
      return payment && isPending(payment) && (await insertPending(tenant, payment)) ? 1 : 0
    }),
  ])
  if (inserted.reduce((all, count) => all + count, 0) === payments.length) return payments.map(asProviderPayment)
  const keys = charges.map(({ request }) => request.idempotencyKey)
  const kept = await store.sandboxPaymentsByKeys(db(), keys)
  const byKey = new Map(kept.map((payment) => [payment.idempotencyKey, payment]))
  return keys.map((key) => {
    const payment = byKey.get(key)
    if (!payment) throw new Error('the test provider lost a payment')
    return asProviderPayment(payment)
  })
}

async function draftPayments(charges: readonly Charge[], treatments: Treatments): Promise<store.SandboxPayment[]> {
  let clock: Promise<Date> | undefined
  const nowOf = (tenant: Tenant): Promise<Date> => {
    if (tenant.moment) return clockNow(db(), tenant)
    clock ??= clockNow(db(), tenant)
    return clock
  }
  return Promise.all(
    charges.map(async (charge) =>
      drafted(charge, treatments.get(charge.request.mandateRef) ?? null, await nowOf(charge.tenant)),
    ),
  )
}

function drafted(
  { tenant, request }: Charge,
  known: store.MandateTreatment | null,
  createdAt: Date,
): store.SandboxPayment {
  const { isDisputed, ...asked } = request
  const treated = known ?? { declines: null, returns: false }
  const treatment = isDisputed ? { ...treated, declines: 'mandate_canceled' as const } : treated
  return {
    ...asked,
    ref: newId('sandbox_', createdAt),
    storefrontId: tenant.storefrontId,
    makesMandate: false,
    mandate: null,
    locale: null,
    returnUrl: null,
    createdAt,
    ...charged(request, treatment, settlementOf(createdAt)),
  }
}

/**
 * Inserts a pending payment. Returns false if the idempotency key was used. Does not lock the clock during a clock
 * advance, because the lock would make the tasks that create payments wait for each other.
 */
const insertPending = (tenant: Tenant, payment: store.SandboxPayment): Promise<boolean> =>
  transact(apart(tenant), async ({ sql, enqueue }) => {
    if (!(await store.insertSandboxPayment(sql, payment))) return false
    const dueAt = payment.settlesAt ?? payment.createdAt
    await enqueue(settleDirectDebit, { key: payment.ref, data: { ref: payment.ref }, dueAt })
    return true
  })

const apart = (tenant: Tenant): Tenant => {
  const { moment, ...rest } = withoutCompletion(tenant)
  return moment ? { ...rest, moment: { ...moment, clock: 'apart' } } : rest
}

export const settlementOf = (createdAt: Date): Date => {
  const seconds = settlementSeconds(randomInt(0, 1_000_000) / 1_000_000)
  return addDuration(createdAt, { seconds }) ?? createdAt
}

const latestSeconds = settlementSeconds(1)

export const asProviderPayment = ({
  ref,
  method,
  status,
  failureReason,
  mandate,
  createdAt,
}: store.SandboxPayment): ProviderPayment => ({
  ref,
  status,
  failureReason,
  mandate: mandate && { ref, provider: 'sandbox', ...testMandates[method as TestMethod], status: mandate },
  settlesBefore: status === 'pending' ? addDuration(createdAt, { seconds: latestSeconds }) : null,
})
