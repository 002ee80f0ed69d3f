import { transact } from '../../modules/events/transact.ts'
import { markRevoked, unusedMandates } from '../../modules/payments/store.ts'
import { revokeMandate } from '../../modules/payments/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders, providerNamed } from '../../providers/index.ts'

/**
 * A mandate that is younger than this number of milliseconds is not revoked, because a sale creates a mandate before
 * its subscription uses the mandate.
 */
const youngMs = 3_600_000
const most = 500

const revokers = async () =>
  (await connectedProviders()).flatMap(({ name, revokeMandate }) => (revokeMandate ? [name] : []))

/** Schedules the revocation of mandates whose subscription has ended or has another payment method. */
export async function revokeUnusedMandates(now = realNow()): Promise<void> {
  const madeBefore = new Date(now.getTime() - youngMs)
  // A failure for a storefront that was just put on hold must not block the next mandates.
  for (const { id, tenant } of await unusedMandates(db(), await revokers(), { madeBefore, take: most }))
    await transact(tenant, (tx) =>
      tx.enqueue(revokeMandate, { key: id, data: { mandateId: id }, dueAt: tx.now }),
    ).catch((error) => log.warn({ mandateId: id, error: shortError(error) }, 'an unused mandate could not be recorded'))
}

/** Revokes the mandate if it is still unused. No lock is needed, because an ended subscription never gets its mandate back. */
export async function runRevocation(tenant: TaskContext, { mandateId }: { mandateId: string }): Promise<void> {
  const [unused] = await unusedMandates(db(), await revokers(), { mandateId })
  if (unused) await providerNamed(unused.provider)?.revokeMandate?.(unused.tenant, unused.ref)
  await transact(tenant, async ({ sql, now }) => {
    if (unused) await markRevoked(sql, mandateId, now)
  })
}
