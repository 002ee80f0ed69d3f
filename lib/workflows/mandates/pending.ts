import { transact } from '../../modules/events/transact.ts'
import * as store from '../../modules/payments/pending-mandates.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { lockSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { providerNamed } from '../../providers/index.ts'
import { collectOutstanding } from '../recovery/charge-outcome.ts'

/**
 * Polls a pending mandate. When the mandate is valid, charges the outstanding orders. An ended mandate is charged too, because the refused charge starts the
 * recovery, which asks the customer for another method.
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
