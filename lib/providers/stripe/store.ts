import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/** What was asked of Stripe for one of our payments. */
export interface AskedPayment {
  readonly paymentId: string
  /** Stripe's customer, who has the payment method; null until it is known, and where none is kept. */
  readonly customerRef: string | null
  /** Stripe's checkout session, or the intent of a charge; null until it has answered. */
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
    INSERT INTO stripe_payments (payment_id, customer_ref, asked_at)
    SELECT ${paymentId}, ${customerRef}, clock_timestamp() FROM hold_storefront(${storefrontId})
    ON CONFLICT (payment_id) DO NOTHING`
  const row = await db().stripe_payments.findUniqueOrThrow({ where: { payment_id: paymentId } })
  const asked = { paymentId, customerRef: row.customer_ref, ref: row.ref, askedAt: row.asked_at }
  return { asked, isFirst: inserted === 1 }
}

export async function saveCustomer({ paymentId }: AskedPayment, customerRef: string): Promise<void> {
  const data = { customer_ref: customerRef }
  await db().stripe_payments.update({ where: { payment_id: paymentId }, data, select: { ref: true } })
}

/** The session of a first payment. Its intent is known once the buyer pays (`saveIntent`). */
export async function saveSession({ paymentId }: AskedPayment, ref: string): Promise<void> {
  await db().stripe_payments.update({ where: { payment_id: paymentId }, data: { ref }, select: { ref: true } })
}

export async function saveIntent(sessionRef: string, intentRef: string): Promise<void> {
  await db().$executeRaw`UPDATE stripe_payments SET intent_ref = ${intentRef}
    WHERE ref = ${sessionRef} AND intent_ref IS DISTINCT FROM ${intentRef}`
}

/** A charge is its intent. */
export async function saveCharge({ paymentId }: AskedPayment, ref: string): Promise<void> {
  const data = { ref, intent_ref: ref }
  await db().stripe_payments.update({ where: { payment_id: paymentId }, data, select: { ref: true } })
}

/** The references of our payments whose money these intents took, by the intent. */
export async function refsOfIntents(intentRefs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { intent_ref: { in: [...intentRefs] } }
  const rows = await db().stripe_payments.findMany({ where, select: { ref: true, intent_ref: true } })
  return new Map(rows.flatMap(({ ref, intent_ref }) => (ref && intent_ref ? [[intent_ref, ref] as const] : [])))
}

/** Stripe's customers of payments. */
export async function customersOf(paymentIds: readonly string[]): Promise<string[]> {
  const where = { payment_id: { in: [...paymentIds] }, customer_ref: { not: null } }
  const rows = await db().stripe_payments.findMany({
    where,
    distinct: ['customer_ref'],
    select: { customer_ref: true },
  })
  return rows.flatMap(({ customer_ref }) => customer_ref ?? [])
}
