import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { newestPaymentAt } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders, requireSameAccount } from '../../providers/index.ts'

/**
 * Requests the newest payment of each account, one account after the other because each start does this. `/readyz` then
 * reports a key of another account. Throws if a key belongs to another account, or a provider does not respond.
 */
export async function checkAccounts(): Promise<void> {
  const failed: unknown[] = []
  for (const provider of await connectedProviders()) await checkAccount(provider).catch((error) => failed.push(error))
  if (failed.length > 0) throw failed[0]
}

async function checkAccount(provider: PaymentProvider): Promise<void> {
  const known = await newestPaymentAt(db(), provider.name)
  if (known) await requireSameAccount(provider.name, () => provider.fetchPayment(known.tenant, known.ref))
}
