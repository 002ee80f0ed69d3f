import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { UnknownPayment, WantedCharge } from './rules/choose.ts'

type Found = Omit<UnknownPayment, 'usedBy' | 'releasedAt'>

/** Records a payment, or updates `status` and `moneyReturned` of a recorded payment. A repeated call keeps `usedBy` and `releasedAt`. */
export async function record(sql: Sql, found: Found, foundAt: Date): Promise<void> {
  const { provider, ref, storefrontId, paymentId, mandateRef, orderId, amount, status, createdAt, moneyReturned } =
    found
  await sql.$executeRaw`
    INSERT INTO unknown_payments
      (provider, ref, storefront_id, payment_id, mandate_ref, order_id, amount, currency, status, created_at, money_returned, found_at)
    VALUES (${provider}, ${ref}, ${storefrontId}, ${paymentId}, ${mandateRef}, ${orderId}, ${amount.minor}, ${amount.currency},
      ${status}, ${createdAt}, ${moneyReturned}, ${foundAt})
    ON CONFLICT (provider, ref) DO UPDATE SET status = EXCLUDED.status, money_returned = EXCLUDED.money_returned`
}

/** Returns the payments that one of the charges uses or could use, oldest first. */
export async function unknownFor(
  sql: Sql,
  { storefrontId }: Pick<Tenant, 'storefrontId'>,
  charges: readonly WantedCharge[],
): Promise<UnknownPayment[]> {
  const ids = charges.map(({ paymentId }) => paymentId)
  const mandates = charges.map(({ mandateRef }) => mandateRef)
  const orders = charges.map(({ orderId }) => orderId)
  const rows = await sql.unknown_payments.findMany({
    where: {
      storefront_id: storefrontId,
      released_at: null,
      OR: [
        { used_by: { in: ids } },
        { used_by: null, payment_id: { in: ids } },
        { used_by: null, mandate_ref: { in: mandates } },
        { used_by: null, order_id: { in: orders } },
      ],
    },
    orderBy: [{ created_at: 'asc' }, { ref: 'asc' }],
  })
  return rows.map(toUnknown)
}

/**
 * Reserves the unknown payment for a charge. Returns false if another charge has used it, or if an operator has released it. A repeated call returns true. A
 * move of the storefront to another installation waits until this statement is committed.
 */
export async function use(
  sql: Sql,
  { provider, ref, storefrontId }: Pick<UnknownPayment, 'provider' | 'ref' | 'storefrontId'>,
  paymentId: string,
): Promise<boolean> {
  const used = await sql.$executeRaw`
    UPDATE unknown_payments SET used_by = ${paymentId} FROM hold_storefront(${storefrontId})
    WHERE provider = ${provider} AND ref = ${ref} AND released_at IS NULL AND (used_by IS NULL OR used_by = ${paymentId})`
  return used === 1
}

/** Ends the reservation of an unknown payment. Call this function only if the charge did not use the unknown payment. */
export async function giveBack(sql: Sql, paymentId: string): Promise<void> {
  await sql.unknown_payments.updateMany({ where: { used_by: paymentId }, data: { used_by: null } })
}

/** Ends the reservation of an unknown payment that cannot pay the charge, because its money was refunded or disputed. */
export async function giveBackReturned(sql: Sql, paymentId: string): Promise<void> {
  await sql.unknown_payments.updateMany({
    where: { used_by: paymentId },
    data: { used_by: null, money_returned: true },
  })
}

export async function unknownPayments(sql: Sql): Promise<UnknownPayment[]> {
  return (await sql.unknown_payments.findMany({ orderBy: [{ created_at: 'asc' }, { ref: 'asc' }] })).map(toUnknown)
}

export async function lockUnknown(sql: Sql, provider: string, ref: string): Promise<UnknownPayment | null> {
  await sql.$queryRaw`SELECT ref FROM unknown_payments WHERE provider = ${provider} AND ref = ${ref} FOR UPDATE`
  const row = await sql.unknown_payments.findUnique({ where: { provider_ref: { provider, ref } } })
  return row && toUnknown(row)
}

export async function markReleased(sql: Sql, provider: string, ref: string, at: Date): Promise<void> {
  await sql.unknown_payments.updateMany({ where: { provider, ref }, data: { released_at: at } })
}

/** Returns the used and the released unknown payments, by the id that Billhook gave each payment before the restore. */
export async function decidedOf(
  sql: Sql,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<UnknownPayment, 'usedBy' | 'releasedAt'>>> {
  if (paymentIds.length === 0) return new Map()
  const rows = await sql.unknown_payments.findMany({
    where: { payment_id: { in: [...paymentIds] }, OR: [{ used_by: { not: null } }, { released_at: { not: null } }] },
  })
  return new Map(rows.map(toUnknown).map((each) => [each.paymentId, each]))
}

type Row = Awaited<ReturnType<Sql['unknown_payments']['findUniqueOrThrow']>>

const toUnknown = (row: Row): UnknownPayment => ({
  provider: row.provider,
  ref: row.ref,
  storefrontId: row.storefront_id,
  paymentId: row.payment_id,
  mandateRef: row.mandate_ref,
  orderId: row.order_id,
  amount: { minor: row.amount, currency: row.currency },
  status: row.status,
  createdAt: row.created_at,
  moneyReturned: row.money_returned,
  usedBy: row.used_by,
  releasedAt: row.released_at,
})
