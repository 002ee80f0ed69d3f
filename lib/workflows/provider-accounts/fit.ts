import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { newestPaymentAt } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders, requireSameAccount } from '../../providers/index.ts'

/** Throws if a configured key does not belong to the account of our newest payment, or if a provider does not respond. */
export async function checkAccounts(): Promise<void> {
  const failed: unknown[] = []
  for (const provider of await connectedProviders()) await checkAccount(provider).catch((error) => failed.push(error))
  if (failed.length > 0) throw failed[0]
}

async function checkAccount(provider: PaymentProvider): Promise<void> {
  const known = await newestPaymentAt(db(), provider.name)
  if (known) await requireSameAccount(provider.name, () => provider.fetchPayment(known.tenant, known.ref))
}
