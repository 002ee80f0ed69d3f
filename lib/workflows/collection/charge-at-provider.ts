import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { endedCharges, placeOfCharges } from '../../modules/payments/ended-charges.ts'
import { chargedMandate, mandateRefs, type Payment } from '../../modules/payments/store.ts'
import type { TaskMoment, Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Has the provider charge mandates, outside any transaction. A call that is repeated after a crash returns the outcome
 * of the first one. Nothing new is charged on a mandate that a dispute ended: the charge fails, unless an earlier call made it. Returns the updates by payment id. It leaves out payments that the provider cannot be asked about:
 * those that are made on a page, and those that have a provider's answer already; of several, also those that the
 * provider did not answer, which are asked about alone. `moments`, by the same ids, are set
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
    asked.flatMap((payment) => chargedMandate(payment) ?? []),
  )
  const ended = await endedCharges(
    db(),
    asked.map(({ orderId }) => orderId),
  )
  const charges = asked.map(async (payment): Promise<[string, AppliedUpdate][]> => {
    const mandateId = chargedMandate(payment)
    const mandate = mandateId === null ? undefined : refs.get(mandateId)
    if (mandate === undefined) return []
    const { id: idempotencyKey, orderId, amount, method } = payment
    const { ref: mandateRef, isDisputed } = mandate
    const charge = {
      idempotencyKey,
      orderId,
      amount,
      method,
      mandateRef,
      isDisputed,
      earlier: ended.get(placeOfCharges(payment)) ?? [],
    }
    const moment = moments.get(idempotencyKey) ?? tenant.moment
    return [[idempotencyKey, await providerFor(payment).chargeMandate({ ...tenant, moment }, charge)]]
  })
  const answers = await Promise.allSettled(charges)
  const unanswered = answers.find((answer) => answer.status === 'rejected')
  if (unanswered && payments.length === 1) throw unanswered.reason
  return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
}
