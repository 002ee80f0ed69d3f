import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { endedCharges, placeOfCharges } from '../../modules/payments/ended-charges.ts'
import { chargedMandate, mandateRefs, type Payment } from '../../modules/payments/store.ts'
import type { TaskMoment, Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Call it outside any transaction. A call repeated after a crash returns the first outcome. A charge on a disputed
 * mandate fails, unless an earlier call made it. Returns the updates by payment id. Excludes payments on a page, and
 * payments whose provider has already answered. Of several payments, also excludes those without a response: they are
 * queried alone. `moments`, by payment id, are set if an advance of a test clock charges many payments at once.
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
