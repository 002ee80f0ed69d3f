import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { mandateRefs, type Payment } from '../../modules/payments/store.ts'
import type { TaskMoment, Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Has the provider charge mandates as it was decided, outside any transaction. Asked again after a crash it answers what became
 * of the first time. Answers by the ids of the payments; one of which there is nothing to ask is not among them: it is made on a
 * page, or the provider was asked and heard. `moments`, by the same ids, where a moved clock has many charged at once.
 */
export async function chargeAtProvider(
  tenant: Tenant,
  payments: readonly Payment[],
  moments: ReadonlyMap<string, TaskMoment | undefined> = new Map(),
): Promise<Map<string, AppliedUpdate>> {
  const asked = payments.filter(({ status }) => status === 'created')
  const refs = await mandateRefs(
    db(),
    tenant,
    asked.flatMap(({ mandateId }) => mandateId ?? []),
  )
  const update = asked.map(async (payment): Promise<[string, AppliedUpdate][]> => {
    const mandateRef = payment.mandateId === null ? undefined : refs.get(payment.mandateId)
    if (mandateRef === undefined) return []
    const { id: idempotencyKey, amount, method } = payment
    const charge = { idempotencyKey, amount, method, mandateRef }
    const moment = moments.get(idempotencyKey) ?? tenant.moment
    return [[idempotencyKey, await providerFor(payment).chargeMandate({ ...tenant, moment }, charge)]]
  })
  return new Map((await Promise.all(update)).flat())
}
