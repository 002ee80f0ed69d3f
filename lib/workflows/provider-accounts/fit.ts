import { newestPaymentAt } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders, requireSameAccount } from '../../providers/index.ts'

/**
 * Asks for the newest payment of each account with its key: `/readyz` then says which one is of another account. Throws if one is, or
 * cannot be asked.
 */
export async function checkAccounts(): Promise<void> {
  const checks = (await connectedProviders()).map(async (provider) => {
    const known = await newestPaymentAt(db(), provider.name)
    if (known) await requireSameAccount(provider.name, () => provider.fetchPayment(known.tenant, known.ref))
  })
  const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
