import type { FailureReason, PaymentMethod } from '../checkouts/page.ts'
import type { Currency, Money } from '../kernel/money.ts'
import { type Scope, whose } from '../platform/clock.ts'
import type { Sql } from '../platform/db.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import { type PaymentStatus, paymentStates } from './rules/state.ts'

export interface Payment {
  readonly id: string
  readonly orderId: string
  readonly checkoutId: string | null
  readonly method: PaymentMethod
  readonly amount: Money
  readonly status: PaymentStatus
  readonly failureReason: FailureReason | null
  readonly makesMandate: boolean
  /** The mandate that is charged; null where the buyer pays on a page. */
  readonly mandateId: string | null
  /** `simulated` is none: a test helper decides. */
  readonly provider: 'sandbox' | 'simulated'
  readonly ref: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export async function insertPayment(sql: Sql, scope: Scope, payment: Payment): Promise<void> {
  const { id, orderId, checkoutId, method, amount, makesMandate, mandateId, provider, createdAt } = payment
  await sql.payments.create({
    data: {
      id,
      ...whose(scope),
      order_id: orderId,
      checkout_id: checkoutId,
      method,
      amount: amount.minor,
      currency: amount.currency,
      makes_mandate: makesMandate,
      mandate_id: mandateId,
      provider,
      created_at: createdAt,
      ...toColumns(payment),
    },
    select: { id: true },
  })
}

export async function savePayment(sql: Sql, payment: Payment): Promise<void> {
  await sql.payments.update({ where: { id: payment.id }, data: toColumns(payment), select: { id: true } })
}

export async function findPayment(sql: Sql, scope: Scope, id: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { id, ...whose(scope) } })
  return row && toPayment(row)
}

export async function paymentByRef(sql: Sql, scope: Scope, ref: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { provider_ref: ref, ...whose(scope) } })
  return row && toPayment(row)
}

/** The newest attempt to pay an order, or null. */
export async function lastPayment(sql: Sql, orderId: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { order_id: orderId }, orderBy: { id: 'desc' } })
  return row && toPayment(row)
}

/** Attempts to pay an order, the oldest first. */
export async function paymentsOfOrder(sql: Sql, orderId: string): Promise<Payment[]> {
  return (await sql.payments.findMany({ where: { order_id: orderId }, orderBy: { id: 'asc' } })).map(toPayment)
}

export async function activateMandate(sql: Sql, id: string): Promise<void> {
  await sql.mandates.update({ where: { id }, data: { status: 'valid' }, select: { id: true } })
}

export async function insertMandate(
  sql: Sql,
  scope: Scope,
  mandate: Mandate,
  customerId: string,
  createdAt: Date,
): Promise<void> {
  const { id, method, maskedIdentifier, status } = mandate
  const data = { id, ...whose(scope), customer_id: customerId, method, masked_identifier: maskedIdentifier, status }
  await sql.mandates.create({ data: { ...data, created_at: createdAt }, select: { id: true } })
}

const toColumns = ({ orderId, status, failureReason, ref, finishedAt }: Payment) => ({
  status,
  failure_reason: failureReason,
  provider_ref: ref,
  paid_order_id: status === 'paid' ? orderId : null,
  open_order_id: paymentStates.isFinal(status) ? null : orderId,
  finished_at: finishedAt,
})

type Row = Awaited<ReturnType<Sql['payments']['findUniqueOrThrow']>>

const toPayment = (row: Row): Payment => ({
  id: row.id,
  orderId: row.order_id,
  checkoutId: row.checkout_id,
  method: row.method as PaymentMethod,
  amount: { minor: row.amount, currency: row.currency as Currency },
  status: row.status as PaymentStatus,
  failureReason: row.failure_reason as FailureReason | null,
  makesMandate: row.makes_mandate,
  mandateId: row.mandate_id,
  provider: row.provider as Payment['provider'],
  ref: row.provider_ref,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})
