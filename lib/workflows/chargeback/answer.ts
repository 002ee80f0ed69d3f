import { addDuration } from '../../kernel/calendar.ts'
import { amount } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import {
  type Answer,
  type Answered,
  evidenceToSend,
  findAnswer,
  forgetEvidence,
  insertEvidence,
  isAnswerable,
  lockAnswer,
  removeEvidence,
  saveAnswer,
} from '../../modules/chargebacks/evidence-store.ts'
import { type Evidence, evidenceOf } from '../../modules/chargebacks/rules/evidence.ts'
import { findChargeback } from '../../modules/chargebacks/store.ts'
import { sendAnswer } from '../../modules/chargebacks/tasks.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { documentNumber } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import type { EvidenceOutcome } from '../../modules/payments/provider.ts'
import { paymentThatPaid } from '../../modules/payments/store.ts'
import { syncChargeback } from '../../modules/payments/tasks.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { log } from '../../platform/log.ts'
import { providerThatWasPaid } from '../collection/provider-of.ts'

export const takesAnswers = async (orderId: string): Promise<boolean> =>
  (await providerThatWasPaid(orderId)).submitEvidence !== undefined

/** Refuses with `validation_failed`, which lists the problems by field. */
export function checkedEvidence(given: Parameters<typeof evidenceOf>[0]): Evidence[] {
  const checked = evidenceOf(given)
  if ('problems' in checked) throw new Refusal('validation_failed', checked.problems)
  return checked.evidence
}

/** Refuses with `not_found`, or with `illegal_move` for a dispute that is decided, was already answered, or accepts no answers. */
export async function requireAnswerable(tenant: Tenant, id: string): Promise<void> {
  const known = await findAnswer(db(), tenant, id)
  if (!known) throw new Refusal('not_found')
  if (!isOpen(known) || !(await takesAnswers(known.orderId))) throw new Refusal('illegal_move')
}

const isOpen = ({ status, answer }: { status: string; answer: Answer | null }) =>
  status === 'pending' && isAnswerable(answer)

/**
 * `evidence` is null if the merchant concedes the dispute. A dispute can be answered only once, unless the provider
 * refuses the evidence or the evidence cannot be decrypted.
 */
export async function answerDispute(
  context: RequestContext,
  id: string,
  evidence: readonly Evidence[] | null,
): Promise<{ answer: Answer }> {
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await requireAnswerable(tenant, id)
  return transact(context, async (tx) => {
    const known = await lockAnswer(tx.sql, tenant, id)
    if (!known || !isOpen(known)) throw new Refusal('illegal_move')
    const answer = evidence ? ('evidence' as const) : ('concede' as const)
    // The new answer replaces unreadable evidence of an earlier answer.
    await removeEvidence(tx.sql, tenant, id)
    await saveAnswer(tx.sql, id, answer, tx.now)
    for (const each of evidence ?? [])
      await insertEvidence(tx.sql, tenant, {
        id: tx.newId('evidence_'),
        chargebackId: id,
        evidence: each,
        createdAt: tx.now,
      })
    await tx.enqueue(sendAnswer, { key: id, data: { chargebackId: id }, dueAt: tx.now })
    return { answer }
  })
}

/**
 * Sends the answer. Unreadable evidence stays stored until the deadline. Every hour, the task tries to send the answer
 * again, in case an operator has added the lost key.
 */
export async function submitAnswer(tenant: TaskContext, { chargebackId }: { chargebackId: string }): Promise<void> {
  const known = await findAnswer(db(), tenant, chargebackId)
  if (!known) return transact(tenant, async () => undefined)
  const outcome = await send(tenant, chargebackId, known)
  failpoint('chargeback.answered')
  const payment = await paymentThatPaid(db(), known.orderId)
  await transact(tenant, async (tx) => {
    if (outcome === 'unreadable' && canStillSend(known, tx.now)) {
      if (known.answer !== 'unreadable') {
        await saveAnswer(tx.sql, chargebackId, outcome, tx.now)
        await notifyNotTaken(tx, chargebackId, outcome, known.respondBy)
      }
      return new Reschedule(addDuration(tx.now, { hours: 1 }) ?? tx.now)
    }
    if (outcome === 'taken') {
      await forgetEvidence(tx.sql, tenant, chargebackId)
      if (known.answer === 'unreadable') await saveAnswer(tx.sql, chargebackId, 'evidence', tx.now)
    } else {
      await removeEvidence(tx.sql, tenant, chargebackId)
      await saveAnswer(tx.sql, chargebackId, outcome, tx.now)
      if (outcome !== 'late' && outcome !== known.answer)
        await notifyNotTaken(tx, chargebackId, outcome, known.respondBy)
    }
    if (payment?.ref)
      await tx.enqueue(syncChargeback, {
        key: known.ref,
        data: { ref: known.ref, paymentRef: payment.ref },
        dueAt: tx.now,
      })
    return undefined
  })
}

const canStillSend = ({ status, respondBy }: Answered, now: Date) =>
  status === 'pending' && (respondBy === null || now < respondBy)

async function notifyNotTaken(
  tx: Transaction,
  chargebackId: string,
  outcome: 'refused' | 'unreadable',
  respondBy: Date | null,
): Promise<void> {
  const { sql, now, ...tenant } = tx
  const chargeback = await findChargeback(sql, tenant, chargebackId)
  const order = chargeback && (await findOrder(sql, tenant, chargeback.orderId))
  if (!order) throw new Error(`evidence for the unknown chargeback ${chargebackId}`)
  const notice = {
    kind: 'chargeback_received',
    invoiceNumber: documentNumber(order),
    amount: amount(chargeback.amount, chargeback.currency),
    reason: chargeback.reason,
    needsReview: false,
    ...(outcome === 'refused' ? { isEvidenceRefused: true as const } : { isEvidenceUnreadable: true as const }),
    ...(respondBy && respondBy > now && { respondBy: respondBy.toISOString() }),
  } as const
  await notifyMembers(tx, notice, `/chargebacks/${chargebackId}`)
}

/**
 * Sends the answer even if our books no longer show the dispute as pending. An earlier attempt may have sent the
 * answer, and this attempt then learns the outcome.
 */
async function send(
  tenant: TaskContext,
  chargebackId: string,
  { ref, orderId, answer }: Pick<Answered, 'ref' | 'orderId' | 'answer'>,
): Promise<EvidenceOutcome | 'unreadable'> {
  const provider = await providerThatWasPaid(orderId)
  if (answer === 'concede') {
    await provider.answerChargeback(tenant, ref, 'accepted')
    const { status } = await provider.fetchChargeback(tenant, ref)
    if (status === 'pending') throw new Error(`the provider did not close the chargeback ${ref}`)
    return status === 'accepted' || status === 'lost' ? 'taken' : 'late'
  }
  const evidence = await evidenceToSend(db(), tenant, chargebackId)
  if (evidence === null) {
    // The caller emails the members once, so that the merchant can submit the evidence again.
    log.warn({ chargebackId }, 'evidence not sent: the key that encrypted the evidence is not configured')
    return 'unreadable'
  }
  return (await provider.submitEvidence?.(tenant, { ref, evidence })) ?? 'refused'
}
