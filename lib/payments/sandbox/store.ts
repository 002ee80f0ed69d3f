import type { FailureReason, PaymentMethod } from '../../checkouts/page.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Currency, Money } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db.ts'
import type { ProviderPayment } from '../provider.ts'

/** A payment as the test provider knows it, in books of its own. */
export interface SandboxPayment {
  readonly ref: string
  readonly idempotencyKey: string
  readonly storefrontId: string
  readonly method: PaymentMethod
  readonly amount: Money
  readonly makesMandate: boolean
  readonly locale: Locale
  readonly returnUrl: string
  readonly status: ProviderPayment['status']
  readonly failureReason: FailureReason | null
  readonly mandate: 'valid' | 'pending' | null
  readonly settlesAt: Date | null
  readonly createdAt: Date
}

/** False when a payment with the same idempotency key exists. */
export async function insertSandboxPayment(sql: Sql, payment: SandboxPayment): Promise<boolean> {
  const { ref, idempotencyKey, storefrontId, method, amount, makesMandate, locale, returnUrl, createdAt } = payment
  const data = {
    ref,
    idempotency_key: idempotencyKey,
    storefront_id: storefrontId,
    method,
    amount: amount.minor,
    currency: amount.currency,
    makes_mandate: makesMandate,
    locale,
    return_url: returnUrl,
    status: payment.status,
    created_at: createdAt,
  }
  return (await sql.sandbox_payments.createMany({ data, skipDuplicates: true })).count === 1
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

type Row = Awaited<ReturnType<Sql['sandbox_payments']['findUniqueOrThrow']>>

const toPayment = (row: Row): SandboxPayment => ({
  ref: row.ref,
  idempotencyKey: row.idempotency_key,
  storefrontId: row.storefront_id,
  method: row.method as PaymentMethod,
  amount: { minor: row.amount, currency: row.currency as Currency },
  makesMandate: row.makes_mandate,
  locale: row.locale as Locale,
  returnUrl: row.return_url,
  status: row.status as SandboxPayment['status'],
  failureReason: row.failure_reason as FailureReason | null,
  mandate: row.mandate as SandboxPayment['mandate'],
  settlesAt: row.settles_at,
  createdAt: row.created_at,
})
