import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { newestPaymentAt } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders, requireSameAccount } from '../../providers/index.ts'

/**
 * One after the other: each start does this beside everything else. Asks for the newest payment of each account with its key: `/readyz` then says which one is of another account. Throws if one is, or
 * cannot be asked.
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
