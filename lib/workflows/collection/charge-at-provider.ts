import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { mandateRefs, type Payment } from '../../modules/payments/store.ts'
import type { TaskMoment, Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Has the provider charge mandates, outside any transaction. A call that is repeated after a crash returns the outcome
 * of the first one. Returns the updates by payment id. It leaves out payments that the provider cannot be asked about:
 * those that are made on a page, and those that have a provider's answer already. `moments`, by the same ids, are set
 * where an advance of a test clock charges many at once.
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
