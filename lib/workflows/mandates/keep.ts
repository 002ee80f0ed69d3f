import type { Transaction } from '../../modules/events/transact.ts'
import { recordMandate } from '../../modules/payments/mandate.ts'
import type { ProviderMandate } from '../../modules/payments/provider-data.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { readMandate } from '../../modules/payments/tasks.ts'
import type { Mandate } from '../../modules/subscriptions/rules/index.ts'
import { providerNamed } from '../../providers/index.ts'

/**
 * A pending mandate may lack the bank account and the reference. The service polls the mandate if the provider has
 * `fetchMandate`, and charges the mandate only when it is valid.
 */
export async function keepMandate(tx: Transaction, customerId: string, set: ProviderMandate): Promise<Mandate> {
  const mandate = await recordMandate(tx, customerId, set)
  if (mandate.status === 'pending' && providerNamed(mandate.provider)?.fetchMandate)
    await tx.enqueue(readMandate, { key: mandate.id, data: { mandateId: mandate.id }, dueAt: nextLook(tx.now, tx.now) })
  return mandate
}
