import { chargebackStates } from '../../modules/chargebacks/rules/index.ts'
import { chargebackByRef } from '../../modules/chargebacks/store.ts'
import { transact } from '../../modules/events/transact.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { paymentOfNotice } from '../../modules/payments/store.ts'
import { syncChargeback } from '../../modules/payments/tasks.ts'
import { db } from '../../platform/db/db.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders } from '../../providers/index.ts'

const everyMs = 30_000

/**
 * Finds chargebacks that no notice reported: a bank returns a debit weeks after it was paid, when nobody asks about the
 * payment any more. Has each fetched that is unknown here, or was reversed since.
 */
export async function findMissedChargebacks(): Promise<void> {
  const looked = await Promise.allSettled((await connectedProviders()).map(findMissedAt))
  const failed = looked.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

async function findMissedAt(provider: PaymentProvider): Promise<void> {
  for (const { ref, paymentRef, isReversed } of (await provider.recentChargebacks?.()) ?? []) {
    const found = await paymentOfNotice(db(), provider.name, paymentRef)
    const known = found && (await chargebackByRef(db(), found.tenant, ref))
    if (!found || (known && (!isReversed || chargebackStates.isFinal(known.status)))) continue
    await transact(found.tenant, ({ now, enqueue }) =>
      enqueue(syncChargeback, { key: ref, data: { ref, paymentRef }, dueAt: now }),
    )
  }
}

/** Looks for them every half minute. Returns how to stop it; that waits for a run in progress. */
export function startFindingChargebacks(): () => Promise<void> {
  let run = Promise.resolve()
  const look = () => {
    run = run
      .then(findMissedChargebacks)
      .catch((error) => log.warn({ error: shortError(error) }, 'chargebacks could not be looked for'))
  }
  const timer = setInterval(look, everyMs)
  return async () => {
    clearInterval(timer)
    await run
  }
}
