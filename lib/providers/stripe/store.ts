import { db } from '../../platform/db/db.ts'
import { fragment } from '../../platform/db/fragment.ts'

/**
 * Saves the intent of a session. A session has no intent before the buyer pays, so the intent is saved later than the
 * session.
 */
export async function saveIntent(sessionRef: string, intentRef: string): Promise<void> {
  await db().$executeRaw`UPDATE stripe_payments SET intent_ref = ${intentRef}
    WHERE ref = ${sessionRef} AND intent_ref IS DISTINCT FROM ${intentRef}`
}

export async function saveCharge({ paymentId }: { paymentId: string }, ref: string): Promise<void> {
  const data = { ref, intent_ref: ref }
  await db().stripe_payments.update({ where: { payment_id: paymentId }, data, select: { ref: true } })
}

export async function refsOfIntents(intentRefs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { intent_ref: { in: [...intentRefs] } }
  const rows = await db().stripe_payments.findMany({ where, select: { ref: true, intent_ref: true } })
  return new Map(rows.flatMap(({ ref, intent_ref }) => (ref && intent_ref ? [[intent_ref, ref] as const] : [])))
}

export type OfPayment = { readonly paymentId: string } | { readonly paymentRef: string }

const rowOf = (payment: OfPayment) =>
  'paymentId' in payment ? fragment`payment_id = ${payment.paymentId}` : fragment`ref = ${payment.paymentRef}`

export async function timesSpent(payment: OfPayment, key: string): Promise<number> {
  const [row] = await db().$queryRaw<{ times: number }[]>`
    SELECT coalesce((spent_keys ->> ${key}::text)::int, 0) AS times FROM stripe_payments WHERE ${rowOf(payment)}`
  return row?.times ?? 0
}

/** Records a failed use of the idempotency key, so that the next request uses a new key. Does nothing if another process has recorded the use. */
export async function spendKey(payment: OfPayment, key: string, times: number): Promise<void> {
  await db().$executeRaw`UPDATE stripe_payments
    SET spent_keys = spent_keys || jsonb_build_object(${key}::text, ${times + 1}::int)
    WHERE ${rowOf(payment)} AND coalesce((spent_keys ->> ${key}::text)::int, 0) = ${times}::int`
}
