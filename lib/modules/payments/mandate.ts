import type { Transaction } from '../events/transact.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import type { ProviderMandate } from './provider-data.ts'
import { insertMandate } from './store.ts'

export async function recordMandate(tx: Transaction, customerId: string, set: ProviderMandate): Promise<Mandate> {
  const { ref, ...mandate } = { id: tx.newId('mandate_'), reference: null, ...set }
  await insertMandate(tx.sql, tx, mandate, { customerId, ref, createdAt: tx.now })
  return mandate
}
