import type { Prisma } from '../../../prisma/client/client.ts'
import type { Money } from '../../kernel/money.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { dbNull, insertRows, type Sql, updateRows } from '../../platform/db/db.ts'
import { fragment } from '../../platform/db/fragment.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import { simulatedProvider } from './provider-data.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'
import { type PaymentStatus, paymentStates } from './rules/state.ts'
import type { TransferDetails } from './rules/transfer-details.ts'

/** `id` is the id of the checkout (`sale`), the billing-update link (`verification`), or the charged mandate (`charge`). */
interface PaymentPurpose {
  readonly kind: 'sale' | 'verification' | 'charge'
  readonly id: string
}

export interface Payment {
  readonly id: string
  readonly orderId: string
  readonly purpose: PaymentPurpose
  readonly method: PaymentMethod
  readonly amount: Money
  readonly status: PaymentStatus
  readonly failureReason: FailureReason | null
  readonly makesMandate: boolean
  /** `simulated`: a test helper decides the outcome. */
  readonly provider: string
  readonly ref: string | null
  /** `settlesBefore` is the time by which the provider expects the outcome of a pending payment. */
  readonly settlesBefore: Date | null
  readonly transfer: TransferDetails | null
  readonly country: string | null
  /** `returnedAt` is the time at which a late payment was refunded, or at which the bank returned the debit. */
  readonly returnedAt: Date | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export const chargedMandate = ({ purpose }: Pick<Payment, 'purpose'>): string | null =>
  purpose.kind === 'charge' ? purpose.id : null

export const isSimulated = ({ provider }: Pick<Payment, 'provider'>): boolean => provider === simulatedProvider

export async function insertPayment(sql: Sql, tenant: Tenant, payment: Payment): Promise<void> {
  await insertPayments(sql, tenant, [payment])
}

export async function insertPayments(sql: Sql, tenant: Tenant, payments: readonly Payment[]): Promise<void> {
  const rows = payments.map((payment) => ({
    id: payment.id,
    ...ownedBy(tenant),
    order_id: payment.orderId,
    ...columnsOfPurpose(payment.purpose),
    amount: payment.amount.minor,
    currency: payment.amount.currency,
    makes_mandate: payment.makesMandate,
    provider: payment.provider,
    created_at: payment.createdAt,
    returned_at: null,
    return_ref: null,
    return_fee: null,
    ...toColumns(payment),
  }))
  await insertRows(sql, 'payments', rows)
}

export async function savePayment(sql: Sql, payment: Payment): Promise<void> {
  await savePayments(sql, [payment])
}

export async function savePayments(sql: Sql, payments: readonly Payment[]): Promise<void> {
  await updateRows(
    sql,
    'payments',
    payments.map((payment) => ({ id: payment.id, ...toColumns(payment) })),
  )
}

export async function findPayments(sql: Sql, tenant: Tenant, ids: string[]): Promise<Payment[]> {
  const where = { id: { in: ids }, ...ownedBy(tenant) }
  return (await sql.payments.findMany({ where, orderBy: { id: 'asc' } })).map(toPayment)
}

export async function findPayment(sql: Sql, tenant: Tenant, id: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { id, ...ownedBy(tenant) } })
  return row && toPayment(row)
}

export async function paymentByRef(sql: Sql, tenant: Tenant, ref: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { provider_ref: ref, ...ownedBy(tenant) } })
  return row && toPayment(row)
}

export async function paymentOfNotice(
  sql: Sql,
  provider: string,
  ref: string,
): Promise<{ payment: Payment; tenant: Tenant } | null> {
  const row = await sql.payments.findFirst({ where: { provider_ref: ref, provider } })
  return row && { payment: toPayment(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

export async function newestPaymentAt(sql: Sql, provider: string): Promise<{ ref: string; tenant: Tenant } | null> {
  const where = { provider, provider_ref: { not: null } }
  const row = await sql.payments.findFirst({ where, orderBy: { id: 'desc' } })
  const tenant = row && { storefrontId: row.storefront_id, testmode: row.testmode }
  return tenant && row?.provider_ref ? { ref: row.provider_ref, tenant } : null
}

/**
 * Sorts the payments of an order: first a payment without an outcome, then the paid payment, then all others by id, newest first. Sorting
 * by id alone would be wrong: an id contains the start time of its transaction, and a transaction that starts earlier can commit later.
 */
const newest: Prisma.paymentsOrderByWithRelationInput[] = [
  { open_order_id: { sort: 'asc', nulls: 'last' } },
  { paid_order_id: { sort: 'asc', nulls: 'last' } },
  { id: 'desc' },
]

export async function lastPayment(sql: Sql, orderId: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { order_id: orderId }, orderBy: newest })
  return row && toPayment(row)
}

export async function lastPaymentByLink(sql: Sql, linkId: string): Promise<Payment | null> {
  const row = await sql.payments.findFirst({ where: { billing_update_link_id: linkId }, orderBy: newest })
  return row && toPayment(row)
}

export async function paymentThatPaid(sql: Sql, orderId: string): Promise<Payment | null> {
  const row = await sql.payments.findUnique({ where: { paid_order_id: orderId } })
  return row && toPayment(row)
}

export async function paymentsOfOrder(sql: Sql, orderId: string): Promise<Payment[]> {
  return (await sql.payments.findMany({ where: { order_id: orderId }, orderBy: { id: 'asc' } })).map(toPayment)
}

export async function openAttemptsOf(sql: Sql, orderIds: readonly string[]): Promise<Set<string>> {
  const where = { open_order_id: { in: [...orderIds] } }
  const rows = await sql.payments.findMany({ where, select: { order_id: true } })
  return new Set(rows.map((row) => row.order_id))
}

export async function paymentsOfOrders(sql: Sql, orderIds: readonly string[], take: number): Promise<Payment[]> {
  const where = { order_id: { in: [...orderIds] } }
  return (await sql.payments.findMany({ where, orderBy: { id: 'desc' }, take })).map(toPayment)
}

export async function markReturned(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.payments.update({ where: { id }, data: { returned_at: at }, select: { id: true } })
}

export const isReturned = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.payments.count({ where: { id, returned_at: { not: null } } })) > 0

export async function insertMandate(
  sql: Sql,
  tenant: Tenant,
  { id, provider, method, maskedIdentifier, reference, status }: Mandate,
  { customerId, ref, createdAt }: { customerId: string; ref: string; createdAt: Date },
): Promise<void> {
  const names = { id, ...ownedBy(tenant), customer_id: customerId, provider, provider_ref: ref }
  const data = { ...names, method, masked_identifier: maskedIdentifier, reference, status, created_at: createdAt }
  await sql.mandates.create({ data, select: { id: true } })
}

export interface UnusedMandate {
  readonly id: string
  readonly tenant: Tenant
  readonly provider: string
  readonly ref: string
}

/**
 * Finds mandates to revoke: mandates whose subscriptions are all canceled and that have no charge in progress. If a
 * dispute ended the mandate, a charge in progress does not count. Skips storefronts on hold. Checks the mandate
 * `mandateId`, or returns up to `take` mandates that were created before `madeBefore`.
 */
export async function unusedMandates(
  sql: Sql,
  providers: readonly string[],
  wanted: { mandateId: string } | { madeBefore: Date; take: number },
): Promise<UnusedMandate[]> {
  const [which, take] =
    'mandateId' in wanted
      ? [fragment`m.id = ${wanted.mandateId}`, 1]
      : [fragment`m.created_at < ${wanted.madeBefore}`, wanted.take]
  return sql.$queryRaw<UnusedMandate[]>`
    SELECT m.id, m.provider, m.provider_ref AS ref, json_build_object('storefrontId', m.storefront_id, 'testmode', m.testmode) AS tenant
    FROM mandates m
    WHERE ${which} AND m.revoked_at IS NULL AND m.provider = ANY(${[...providers]})
      AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.mandate_id = m.id AND s.status <> 'canceled'
        AND s.customer_id = m.customer_id AND s.storefront_id = m.storefront_id AND s.testmode = m.testmode)
      AND (m.disputed_at IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM payments p WHERE p.mandate_id = m.id AND p.open_order_id IS NOT NULL))
      AND NOT EXISTS (SELECT 1 FROM storefronts f WHERE f.id = m.storefront_id AND f.held_at IS NOT NULL)
    ORDER BY m.id LIMIT ${take}`
}

export async function markRevoked(sql: Sql, mandateId: string, at: Date): Promise<void> {
  await sql.mandates.updateMany({ where: { id: mandateId, revoked_at: null }, data: { revoked_at: at } })
}

export interface ChargedMandate {
  readonly ref: string
  readonly isDisputed: boolean
}

export async function mandateRefs(sql: Sql, tenant: Tenant, ids: string[]): Promise<Map<string, ChargedMandate>> {
  if (ids.length === 0) return new Map()
  const where = { id: { in: ids }, ...ownedBy(tenant) }
  const rows = await sql.mandates.findMany({ where, select: { id: true, provider_ref: true, disputed_at: true } })
  return new Map(rows.map((row) => [row.id, { ref: row.provider_ref, isDisputed: row.disputed_at !== null }]))
}

const columnsOfPurpose = ({ kind, id }: PaymentPurpose) => ({
  checkout_id: kind === 'sale' ? id : null,
  billing_update_link_id: kind === 'verification' ? id : null,
  mandate_id: kind === 'charge' ? id : null,
})

/** The constraint `payments_of_one_kind` guarantees that exactly one of the three columns is set. */
function purposeOf({ id, checkout_id, billing_update_link_id, mandate_id }: Row): PaymentPurpose {
  if (checkout_id !== null) return { kind: 'sale', id: checkout_id }
  if (billing_update_link_id !== null) return { kind: 'verification', id: billing_update_link_id }
  if (mandate_id !== null) return { kind: 'charge', id: mandate_id }
  throw new Error(`payment ${id} has no checkout, link, or mandate`)
}

export const unanswered = {
  failureReason: null,
  ref: null,
  settlesBefore: null,
  transfer: null,
  country: null,
  returnedAt: null,
  finishedAt: null,
} as const

const toColumns = (payment: Payment) => ({
  ...columnsOfOutcome(payment),
  method: payment.method,
  transfer: payment.transfer === null ? dbNull : { ...payment.transfer },
})

const columnsOfOutcome = ({ orderId, status, failureReason, ref, settlesBefore, country, finishedAt }: Payment) => ({
  status,
  settles_before: settlesBefore,
  country,
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
  purpose: purposeOf(row),
  method: row.method,
  amount: { minor: row.amount, currency: row.currency },
  status: row.status,
  failureReason: row.failure_reason,
  makesMandate: row.makes_mandate,
  provider: row.provider,
  ref: row.provider_ref,
  settlesBefore: row.settles_before,
  transfer: row.transfer as TransferDetails | null,
  country: row.country,
  returnedAt: row.returned_at,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})
