import type { Work } from '../platform/transact.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import type { ProviderMandate } from './provider.ts'
import { insertMandate } from './store.ts'

/** A mandate as the provider set it up, written down for a customer. */
export async function recordMandate(work: Work, customerId: string, set: ProviderMandate): Promise<Mandate> {
  const { ref, ...mandate } = { id: work.newId('mandate_'), ...set }
  await insertMandate(work.sql, work, mandate, { customerId, ref, createdAt: work.now })
  return mandate
}
