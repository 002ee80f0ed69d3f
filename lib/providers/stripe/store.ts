import { db } from '../../platform/db/db.ts'

/** The intents of what Stripe was asked for, beside what every provider keeps (`live-payments/asked-payments.ts`). */

/** The intent of a first payment's session, which is known once the buyer pays. */
export async function saveIntent(sessionRef: string, intentRef: string): Promise<void> {
  await db().$executeRaw`UPDATE stripe_payments SET intent_ref = ${intentRef}
    WHERE ref = ${sessionRef} AND intent_ref IS DISTINCT FROM ${intentRef}`
}

/** A charge is its intent. */
export async function saveCharge({ paymentId }: { paymentId: string }, ref: string): Promise<void> {
  const data = { ref, intent_ref: ref }
  await db().stripe_payments.update({ where: { payment_id: paymentId }, data, select: { ref: true } })
}

/** The references of our payments whose money these intents took, by the intent. */
export async function refsOfIntents(intentRefs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { intent_ref: { in: [...intentRefs] } }
  const rows = await db().stripe_payments.findMany({ where, select: { ref: true, intent_ref: true } })
  return new Map(rows.flatMap(({ ref, intent_ref }) => (ref && intent_ref ? [[intent_ref, ref] as const] : [])))
}
