import type { Currency, Money } from '../../kernel/money.ts'
import { lostStatuses } from '../../modules/chargebacks/rules/state.ts'
import type { ProviderChargeback, ProviderRefund } from '../../modules/payments/provider-data.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import type { TestPayment } from '../../modules/payments/test-controls.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'

export interface SandboxPayment extends TestPayment {
  readonly mandate: 'valid' | 'pending' | null
  readonly settlesAt: Date | null
  readonly returns: boolean
}

export const insertSandboxPayment = async (sql: Sql, payment: SandboxPayment): Promise<boolean> =>
  (await insertSandboxPayments(sql, [payment])) === 1

export function insertSandboxPayments(sql: Sql, payments: readonly SandboxPayment[]): Promise<number> {
  const rows = payments.map((payment) => ({
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
    returns: payment.returns,
    created_at: payment.createdAt,
  }))
  // Rows are inserted in a fixed order, so that two concurrent calls cannot deadlock.
  const inOrder = rows.sort((a, b) => (a.idempotency_key < b.idempotency_key ? -1 : 1))
  return insertRows(sql, 'sandbox_payments', inOrder, { skipDuplicates: true })
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
  const { status, failureReason, mandate, settlesAt, returns } = payment
  await sql.sandbox_payments.update({
    where: { ref: payment.ref },
    data: { status, failure_reason: failureReason, mandate, settles_at: settlesAt, returns },
  })
}

export async function sandboxPaymentsByKeys(sql: Sql, idempotencyKeys: string[]): Promise<SandboxPayment[]> {
  const where = { idempotency_key: { in: idempotencyKeys } }
  return (await sql.sandbox_payments.findMany({ where, orderBy: { ref: 'asc' } })).map(toPayment)
}

/** `declines`: the reason for which charges are declined, or null. `returns`: whether direct debits are returned. */
export interface MandateTreatment {
  readonly declines: FailureReason | null
  readonly returns: boolean
}

type KnownTreatment = MandateTreatment & { readonly isLimited: boolean }

export async function treatmentsOf(
  sql: Sql,
  mandateRefs: readonly string[],
): Promise<ReadonlyMap<string, KnownTreatment>> {
  const rows = await sql.$queryRaw<({ ref: string } & KnownTreatment)[]>`
    SELECT ref, d.failure_reason AS declines, d.times_left IS NOT NULL AS "isLimited",
      EXISTS (SELECT 1 FROM sandbox_returns WHERE mandate_ref = ref) AS returns
    FROM unnest(${mandateRefs}::text[]) AS ref LEFT JOIN sandbox_declines d ON d.mandate_ref = ref`
  return new Map(rows.map(({ ref, ...treatment }) => [ref, treatment]))
}

/** Locks the row with the decline settings of the mandate, so that concurrent charges are counted one after another. */
export async function lockTreatment(sql: Sql, mandateRef: string): Promise<KnownTreatment | null> {
  await sql.$queryRaw`SELECT 1 FROM sandbox_declines WHERE mandate_ref = ${mandateRef} FOR UPDATE`
  return (await treatmentsOf(sql, [mandateRef])).get(mandateRef) ?? null
}

export async function countDecline(sql: Sql, mandateRef: string): Promise<void> {
  const { count } = await sql.sandbox_declines.deleteMany({ where: { mandate_ref: mandateRef, times_left: 1 } })
  if (count === 0)
    await sql.sandbox_declines.updateMany({
      where: { mandate_ref: mandateRef, times_left: { not: null } },
      data: { times_left: { increment: -1 } },
    })
}

/**
 * Sets whether the bank returns debits on a mandate. `code` is the bank's return code. If it is null, the bank returns
 * no further debits.
 */
export async function setReturns(
  sql: Sql,
  { mandateRef, storefrontId, code }: { mandateRef: string; storefrontId: string; code: string | null },
): Promise<void> {
  await sql.sandbox_returns.deleteMany({ where: { mandate_ref: mandateRef } })
  const row = { mandate_ref: mandateRef, storefront_id: storefrontId, code: code ?? '' }
  if (code !== null) await insertRows(sql, 'sandbox_returns', [row])
}

export const returnCodeOf = async (sql: Sql, mandateRef: string): Promise<string | null> =>
  (await sql.sandbox_returns.findUnique({ where: { mandate_ref: mandateRef } }))?.code ?? null

/**
 * Sets whether charges on a mandate are declined. `times` is the number of declined charges, or null for all. A null
 * `reason` ends the declines.
 */
export async function setDecline(
  sql: Sql,
  {
    mandateRef,
    storefrontId,
    reason,
    times,
  }: { mandateRef: string; storefrontId: string; reason: FailureReason | null; times: number | null },
): Promise<void> {
  if (reason === null) await sql.sandbox_declines.deleteMany({ where: { mandate_ref: mandateRef } })
  else {
    const update = { failure_reason: reason, times_left: times }
    await sql.sandbox_declines.upsert({
      where: { mandate_ref: mandateRef },
      create: { mandate_ref: mandateRef, storefront_id: storefrontId, ...update },
      update,
    })
  }
}

export type SandboxRefund = ProviderRefund & {
  readonly idempotencyKey: string
  readonly storefrontId: string
  readonly paymentRef: string
  readonly amount: Money
  readonly createdAt: Date
}

export async function insertSandboxRefund(sql: Sql, refund: SandboxRefund): Promise<void> {
  const data = {
    ref: refund.ref,
    idempotency_key: refund.idempotencyKey,
    storefront_id: refund.storefrontId,
    payment_ref: refund.paymentRef,
    amount: refund.amount.minor,
    currency: refund.amount.currency,
    status: refund.status,
    created_at: refund.createdAt,
  }
  await sql.sandbox_refunds.create({ data, select: { ref: true } })
}

export async function sandboxRefundByKey(sql: Sql, idempotencyKey: string): Promise<ProviderRefund | null> {
  const row = await sql.sandbox_refunds.findUnique({ where: { idempotency_key: idempotencyKey } })
  return row && { ref: row.ref, status: row.status }
}

export const isRefused = async (sql: Sql, idempotencyKey: string): Promise<boolean> =>
  (await sql.sandbox_refusals.count({ where: { idempotency_key: idempotencyKey } })) > 0

export async function setRefusal(sql: Sql, storefrontId: string, idempotencyKey: string): Promise<void> {
  const row = { idempotency_key: idempotencyKey, storefront_id: storefrontId }
  await insertRows(sql, 'sandbox_refusals', [row], { skipDuplicates: true })
}

/** The sum of a payment's refunds and disputes, in minor units. Excludes won disputes, and pending disputes that exceed the paid amount. */
export async function goneOf(sql: Sql, { ref, amount }: Pick<SandboxPayment, 'ref' | 'amount'>): Promise<bigint> {
  const refunded = { payment_ref: ref, status: 'refunded' as const }
  const isUndecided = { status: 'pending' as const, amount: { gt: amount.minor } }
  const disputed = { payment_ref: ref, status: { not: 'won' as const }, NOT: isUndecided }
  const refunds = await sql.sandbox_refunds.aggregate({ where: refunded, _sum: { amount: true } })
  const chargebacks = await sql.sandbox_chargebacks.aggregate({ where: disputed, _sum: { amount: true } })
  return (refunds._sum.amount ?? 0n) + (chargebacks._sum.amount ?? 0n)
}

/** Paid amounts minus refunds and accepted or lost disputes, in minor units by currency. Empty in live mode. */
export async function sandboxHolds(
  sql: Sql,
  { storefrontId, testmode }: Tenant,
): Promise<ReadonlyMap<Currency, bigint>> {
  if (!testmode) return new Map()
  const rows = await sql.$queryRaw<{ currency: Currency; amount: bigint }[]>`
    SELECT currency, sum(amount)::bigint AS amount FROM (
      SELECT currency, amount FROM sandbox_payments WHERE storefront_id = ${storefrontId} AND status = 'paid'
      UNION ALL SELECT currency, -amount FROM sandbox_refunds WHERE storefront_id = ${storefrontId} AND status = 'refunded'
      UNION ALL SELECT currency, -amount FROM sandbox_chargebacks
        WHERE storefront_id = ${storefrontId} AND status = ANY(${[...lostStatuses]})) moved GROUP BY 1`
  return new Map(rows.map(({ currency, amount }) => [currency, amount]))
}

export type SandboxChargeback = ProviderChargeback & {
  readonly storefrontId: string
  readonly createdAt: Date
  readonly evidenceId?: string | null
}

export async function insertSandboxChargeback(sql: Sql, chargeback: SandboxChargeback): Promise<void> {
  const { ref, storefrontId, paymentRef, amount, reason, status, createdAt } = chargeback
  const ids = { ref, storefront_id: storefrontId, payment_ref: paymentRef }
  const disputed = { amount: amount.minor, currency: amount.currency, reason }
  await sql.sandbox_chargebacks.create({ data: { ...ids, ...disputed, status, created_at: createdAt } })
}

export async function findSandboxChargeback(sql: Sql, ref: string): Promise<SandboxChargeback | null> {
  const row = await sql.sandbox_chargebacks.findUnique({ where: { ref } })
  return (
    row && {
      ref: row.ref,
      storefrontId: row.storefront_id,
      paymentRef: row.payment_ref,
      amount: { minor: row.amount, currency: row.currency },
      reason: row.reason,
      status: row.status,
      createdAt: row.created_at,
      evidenceId: row.evidence_id,
    }
  )
}

export async function lockSandboxChargeback(sql: Sql, ref: string): Promise<SandboxChargeback | null> {
  await sql.$queryRaw`SELECT 1 FROM sandbox_chargebacks WHERE ref = ${ref} FOR UPDATE`
  return findSandboxChargeback(sql, ref)
}

export async function saveSandboxChargeback(
  sql: Sql,
  { ref, status, evidenceId = null }: SandboxChargeback,
): Promise<void> {
  await sql.sandbox_chargebacks.update({ where: { ref }, data: { status, evidence_id: evidenceId } })
}

type Row = Awaited<ReturnType<Sql['sandbox_payments']['findUniqueOrThrow']>>

const toPayment = (row: Row): SandboxPayment => ({
  ref: row.ref,
  idempotencyKey: row.idempotency_key,
  storefrontId: row.storefront_id,
  method: row.method,
  amount: { minor: row.amount, currency: row.currency },
  makesMandate: row.makes_mandate,
  mandateRef: row.mandate_ref,
  locale: row.locale,
  returnUrl: row.return_url,
  status: row.status,
  failureReason: row.failure_reason,
  mandate: row.mandate,
  settlesAt: row.settles_at,
  returns: row.returns,
  createdAt: row.created_at,
})
