import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { endedCharges, placeOfCharges } from '../../modules/payments/ended-charges.ts'
import { chargedMandate, mandateRefs, type Payment } from '../../modules/payments/store.ts'
import type { TaskMoment, Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor } from '../../providers/index.ts'
import { chargeOrUse, unknownPaymentsFor } from './unknown-payments.ts'

/**
 * Charges payments at the provider, and returns the updates by payment id. Call this function outside any transaction.
 * A call that is repeated after a crash returns the first outcome. A charge on a disputed mandate fails, unless an
 * earlier call already made the charge. After a restore, a charge can use a payment that the provider has and the
 * restored database lacks. The result excludes payments without a mandate, and payments that are not in status
 * `created`. If the call for one of several payments fails, the result excludes this payment, because the caller
 * retries it alone. If the call for a single payment fails, throws. If one advance of a test clock charges many
 * payments, `moments` contains the time of each charge, by payment id.
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
  const wanted = asked.flatMap((payment) => {
    const mandateId = chargedMandate(payment)
    const mandate = mandateId === null ? undefined : refs.get(mandateId)
    if (mandate === undefined) return []
    const { id: paymentId, orderId, provider, amount } = payment
    return { payment, mandate, charge: { paymentId, orderId, provider, amount, mandateRef: mandate.ref } }
  })
  const ended = await endedCharges(
    db(),
    asked.map(({ orderId }) => orderId),
  )
  const unknown = await unknownPaymentsFor(
    tenant,
    wanted.map(({ charge }) => charge),
  )
  const charges = wanted.map(async ({ payment, mandate, charge }): Promise<[string, AppliedUpdate]> => {
    const { id: idempotencyKey, orderId, amount, method } = payment
    const { ref: mandateRef, isDisputed } = mandate
    const earlier = ended.get(placeOfCharges(payment)) ?? []
    const request = { idempotencyKey, orderId, amount, method, mandateRef, isDisputed, earlier }
    const moment = moments.get(idempotencyKey) ?? tenant.moment
    const make = (made: string | undefined) =>
      providerFor(payment).chargeMandate({ ...tenant, moment }, made === undefined ? request : { ...request, made })
    return [idempotencyKey, await chargeOrUse(unknown.get(idempotencyKey), charge, make)]
  })
  const answers = await Promise.allSettled(charges)
  const unanswered = answers.find((answer) => answer.status === 'rejected')
  if (unanswered && payments.length === 1) throw unanswered.reason
  return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
}
