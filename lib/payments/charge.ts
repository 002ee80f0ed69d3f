import type { Scope } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import type { News } from './hear.ts'
import { providerFor } from './provider-for.ts'
import { mandateRefs, type Payment } from './store.ts'

/**
 * Has the provider charge mandates as it was decided, outside any transaction. Asked again after a crash it answers what became
 * of the first time. Answers by the ids of the payments; one of which there is nothing to ask is not among them: it is made on a
 * page, or the provider was asked and heard.
 */
export async function chargeAtProvider(scope: Scope, payments: readonly Payment[]): Promise<Map<string, News>> {
  const asked = payments.filter(({ status }) => status === 'created')
  const refs = await mandateRefs(
    db(),
    scope,
    asked.flatMap(({ mandateId }) => mandateId ?? []),
  )
  const news = asked.map(async (payment): Promise<[string, News][]> => {
    const mandateRef = payment.mandateId === null ? undefined : refs.get(payment.mandateId)
    if (mandateRef === undefined) return []
    const { id: idempotencyKey, amount, method } = payment
    const charge = { idempotencyKey, amount, method, mandateRef }
    return [[idempotencyKey, await providerFor(payment).chargeMandate(scope, charge)]]
  })
  return new Map((await Promise.all(news)).flat())
}
