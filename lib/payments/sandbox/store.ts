import type { FailureReason, PaymentMethod } from '../../checkouts/page.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Currency, Money } from '../../kernel/money.ts'
import { insertRows, type Sql } from '../../platform/db.ts'
import type { ProviderPayment } from '../provider.ts'

/** A payment as the test provider knows it, in books of its own. */
export interface SandboxPayment {
  readonly ref: string
  readonly idempotencyKey: string
  readonly storefrontId: string
  readonly method: PaymentMethod
  readonly amount: Money
  readonly makesMandate: boolean
  /** What was charged without the buyer; then there is no page. */
  readonly mandateRef: string | null
  readonly locale: Locale | null
  readonly returnUrl: string | null
  readonly status: ProviderPayment['status']
  readonly failureReason: FailureReason | null
  readonly mandate: 'valid' | 'pending' | null
  readonly settlesAt: Date | null
  readonly createdAt: Date
}

/** False when a payment with the same idempotency key exists. */
export async function insertSandboxPayment(sql: Sql, payment: SandboxPayment): Promise<boolean> {
  const row = {
    ref: payment.ref,
    idempotency_key: payment.idempotencyKey,
    storefront_id: payment.storefrontId,
    method: payment.method,
    amount: payment.amount.minor,
    currency: payment.amount.currency,
    makes_mandate: payment.makesMandate,
    mandate_ref: payment.mandateRef,
    locale: payment.locale,
    return_url: payment.returnUrl,
    status: payment.status,
    failure_reason: payment.failureReason,
    mandate: payment.mandate,
    settles_at: payment.settlesAt,
    created_at: payment.createdAt,
  }
  return (await insertRows(sql, 'sandbox_payments', [row], { skipDuplicates: true })) === 1
}

export async function sandboxPaymentByKey(sql: Sql, idempotencyKey: string): Promise<SandboxPayment | null> {
  const row = await sql.sandbox_payments.findUnique({ where: { idempotency_key: idempotencyKey } })
  return row && toPayment(row)
}

export async function findSandboxPayment(sql: Sql, ref: string): Promise<SandboxPayment | null> {
  const row = await sql.sandbox_payments.findUnique({ where: { ref } })
  return row && toPayment(row)
}

export async function lockSandboxPayment(sql: Sql, ref: string): Promise<SandboxPayment | null> {
  await sql.$queryRaw`SELECT 1 FROM sandbox_payments WHERE ref = ${ref} FOR UPDATE`
  return findSandboxPayment(sql, ref)
}

export async function saveSandboxPayment(sql: Sql, payment: SandboxPayment): Promise<void> {
  const { status, failureReason, mandate, settlesAt } = payment
  await sql.sandbox_payments.update({
    where: { ref: payment.ref },
    data: { status, failure_reason: failureReason, mandate, settles_at: settlesAt },
  })
}

/** Every payment that was asked for with one of these idempotency keys, the oldest first. */
export async function sandboxPaymentsByKeys(sql: Sql, idempotencyKeys: string[]): Promise<SandboxPayment[]> {
  const where = { idempotency_key: { in: idempotencyKeys } }
  return (await sql.sandbox_payments.findMany({ where, orderBy: { ref: 'asc' } })).map(toPayment)
}

/** Why this provider declines a mandate, or null when it charges it. */
export async function declineOf(sql: Sql, mandateRef: string): Promise<FailureReason | null> {
  const row = await sql.sandbox_declines.findUnique({ where: { mandate_ref: mandateRef } })
  return row && (row.failure_reason as FailureReason)
}

/** From now on a mandate is declined, for this reason; or charged again. */
export async function setDecline(
  sql: Sql,
  { mandateRef, storefrontId, reason }: { mandateRef: string; storefrontId: string; reason: FailureReason | null },
): Promise<void> {
  if (reason === null) await sql.sandbox_declines.deleteMany({ where: { mandate_ref: mandateRef } })
  else {
    const create = { mandate_ref: mandateRef, storefront_id: storefrontId, failure_reason: reason }
    await sql.sandbox_declines.upsert({
      where: { mandate_ref: mandateRef },
      create,
      update: { failure_reason: reason },
    })
  }
}

type Row = Awaited<ReturnType<Sql['sandbox_payments']['findUniqueOrThrow']>>

const toPayment = (row: Row): SandboxPayment => ({
  ref: row.ref,
  idempotencyKey: row.idempotency_key,
  storefrontId: row.storefront_id,
  method: row.method as PaymentMethod,
  amount: { minor: row.amount, currency: row.currency as Currency },
  makesMandate: row.makes_mandate,
  mandateRef: row.mandate_ref,
  locale: row.locale as Locale | null,
  returnUrl: row.return_url,
  status: row.status as SandboxPayment['status'],
  failureReason: row.failure_reason as FailureReason | null,
  mandate: row.mandate as SandboxPayment['mandate'],
  settlesAt: row.settles_at,
  createdAt: row.created_at,
})
