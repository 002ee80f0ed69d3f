import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/** What was asked of Mollie for one of our payments. */
export interface AskedPayment {
  readonly paymentId: string
  /** Mollie's customer, who has the mandate; null until it is known, and where none is made. */
  readonly customerRef: string | null
  /** Mollie's payment; null until it has answered. */
  readonly ref: string | null
  readonly askedAt: Date
}

/**
 * Writes down, before the first request, that a payment is asked for. Returns what was written, and whether that was now:
 * otherwise an earlier request may have made the payment already. A storefront that moves to another installation takes
 * the row along, or the row is refused here, as all that would change it is: the hold waits for a statement that has its
 * lock, and fails a later one.
 */
export async function begin(
  { storefrontId }: Tenant,
  paymentId: string,
  customerRef: string | null,
): Promise<{ asked: AskedPayment; isFirst: boolean }> {
  const inserted = await db().$executeRaw`
    INSERT INTO mollie_payments (payment_id, customer_ref, asked_at)
    SELECT ${paymentId}, ${customerRef}, clock_timestamp() FROM hold_storefront(${storefrontId})
    ON CONFLICT (payment_id) DO NOTHING`
  const row = await db().mollie_payments.findUniqueOrThrow({ where: { payment_id: paymentId } })
  const asked = { paymentId, customerRef: row.customer_ref, ref: row.ref, askedAt: row.asked_at }
  return { asked, isFirst: inserted === 1 }
}

export async function save({ paymentId, customerRef, ref }: Omit<AskedPayment, 'askedAt'>): Promise<void> {
  const data = { customer_ref: customerRef, ref }
  await db().mollie_payments.update({ where: { payment_id: paymentId }, data, select: { ref: true } })
}

/** Mollie's customers of payments. */
export async function customersOf(paymentIds: readonly string[]): Promise<string[]> {
  const where = { payment_id: { in: [...paymentIds] }, customer_ref: { not: null } }
  const rows = await db().mollie_payments.findMany({
    where,
    distinct: ['customer_ref'],
    select: { customer_ref: true },
  })
  return rows.flatMap(({ customer_ref }) => customer_ref ?? [])
}
