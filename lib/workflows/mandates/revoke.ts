import { transact } from '../../modules/events/transact.ts'
import { markRevoked, unusedMandates } from '../../modules/payments/store.ts'
import { revokeMandate } from '../../modules/payments/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders, providerNamed } from '../../providers/index.ts'

/** A sale makes its mandate and its subscription together; a mandate this young is looked at the next time. */
const youngMs = 3_600_000
/** At a time: the rest is found the next time. */
const most = 500

const revokers = async () =>
  (await connectedProviders()).flatMap(({ name, revokeMandate }) => (revokeMandate ? [name] : []))

/** Has each mandate revoked that nothing uses any more: its subscriptions have ended, or have another payment method. */
export async function revokeUnusedMandates(now = realNow()): Promise<void> {
  const madeBefore = new Date(now.getTime() - youngMs)
  // One that cannot be noted, as its storefront has just been put on hold, must not keep those after it from it.
  for (const { id, tenant } of await unusedMandates(db(), await revokers(), { madeBefore, take: most }))
    await transact(tenant, (tx) =>
      tx.enqueue(revokeMandate, { key: id, data: { mandateId: id }, dueAt: tx.now }),
    ).catch((error) => log.warn({ mandateId: id, error: shortError(error) }, 'an unused mandate was not noted'))
}

/**
 * The task that revokes a mandate at its provider, once. It looks again whether nothing uses the mandate: one that is in use stays. An
 * ended subscription never gets its mandate back, so that none comes into use meanwhile.
 */
export async function runRevocation(tenant: TaskContext, { mandateId }: { mandateId: string }): Promise<void> {
  const [unused] = await unusedMandates(db(), await revokers(), { mandateId })
  if (unused) await providerNamed(unused.provider)?.revokeMandate?.(unused.tenant, unused.ref)
  await transact(tenant, async ({ sql, now }) => {
    if (unused) await markRevoked(sql, mandateId, now)
  })
}
