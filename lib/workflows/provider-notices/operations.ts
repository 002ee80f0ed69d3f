import { transact } from '../../modules/events/transact.ts'
import type { ProviderNotice } from '../../modules/payments/provider.ts'
import { paymentOfNotice } from '../../modules/payments/store.ts'
import { syncChargeback, syncPayment } from '../../modules/payments/tasks.ts'
import { db } from '../../platform/db/db.ts'
import { providerNamed } from '../../providers/index.ts'

const mostNotices = 100

/**
 * Schedules fetches of the objects that the notices name. Returns null if the provider does not exist or posts no
 * notices. Returns false if the request is not a notice, or if it contains more than `mostNotices` notices. A notice of
 * a payment that is not ours is accepted without effect, so that the sender does not learn which payments exist. The
 * body is read only for a provider that posts notices.
 */
export async function receiveNotice(
  name: string,
  { headers, readBody }: { headers: Headers; readBody: () => Promise<Uint8Array> },
): Promise<boolean | null> {
  const provider = providerNamed(name)
  if (!provider?.readNotice) return null
  const notices = await provider.readNotice({ headers, body: await readBody() })
  if (!notices || notices.length > mostNotices) return false
  for (const notice of notices) await enqueueSync(name, notice)
  return true
}

async function enqueueSync(provider: string, { subject, ref, paymentRef }: ProviderNotice): Promise<void> {
  const found = await paymentOfNotice(db(), provider, paymentRef)
  if (!found) return
  await transact(found.tenant, async ({ now, enqueue }) => {
    const at = { key: ref, dueAt: now }
    if (subject === 'payment') await enqueue(syncPayment, { ...at, data: { ref } })
    else await enqueue(syncChargeback, { ...at, data: { ref, paymentRef } })
  })
}
