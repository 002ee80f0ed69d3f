import { type Transaction, transact } from '../../modules/events/transact.ts'
import { recordMandate } from '../../modules/payments/mandate.ts'
import * as store from '../../modules/payments/pending-mandates.ts'
import type { ProviderMandate } from '../../modules/payments/provider-data.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { readMandate } from '../../modules/payments/tasks.ts'
import type { Mandate } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { providerNamed } from '../../providers/index.ts'
import { collectOutstanding } from '../recovery/charge-outcome.ts'

/**
 * Mandates that were pending at their sale. Until a mandate is valid, its provider may not know its account and its reference, and
 * nothing is charged on it.
 */

/** Saves a mandate that the provider set up for a customer; a pending one is read again until it is valid. */
export async function keepMandate(tx: Transaction, customerId: string, set: ProviderMandate): Promise<Mandate> {
  const mandate = await recordMandate(tx, customerId, set)
  if (mandate.status === 'pending' && providerNamed(mandate.provider)?.fetchMandate)
    await tx.enqueue(readMandate, { key: mandate.id, data: { mandateId: mandate.id }, dueAt: nextLook(tx.now, tx.now) })
  return mandate
}

/**
 * The task that reads a pending mandate. Once it is valid, its account and its reference are saved, and orders that waited are charged.
 * One that ended meanwhile is charged too: the refusal of the charge begins the recovery, which asks the buyer for another method.
 */
export async function runReading(tenant: TaskContext, { mandateId }: { mandateId: string }): Promise<void> {
  const pending = await store.pendingMandate(db(), tenant, mandateId)
  const provider = pending && providerNamed(pending.provider)
  const read = pending && (await provider?.fetchMandate?.(tenant, pending.ref))
  await transact(tenant, async (tx) => {
    if (!pending) return
    if (read?.status === 'pending') return new Reschedule(nextLook(pending.createdAt, tx.now))
    await lockSubscriptionsOf(tx.sql, tx, mandateId)
    if (!(await store.pendingMandate(tx.sql, tx, mandateId))) return
    if (read)
      await store.saveMandateDetails(tx.sql, mandateId, {
        maskedIdentifier: read.maskedIdentifier,
        reference: read.reference ?? null,
      })
    await store.activateMandate(tx.sql, mandateId)
    for (const subscription of await lockSubscriptionsOf(tx.sql, tx, mandateId))
      await collectOutstanding(tx, subscription)
    return
  })
}
