import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Returns the resulting status, which may be paid; null if nothing was open. A payment that the provider cannot cancel
 * is given up here. If the buyer pays it nevertheless, the money is returned (`return-money.ts`).
 */
export async function cancelAtProvider(tenant: Tenant, payment: Payment | null): Promise<ProviderPayment | null> {
  if (payment?.status !== 'open' || payment.ref === null) return null
  const answer = await providerFor(payment).cancelPayment(tenant, payment.ref)
  return answer.status === 'open' ? { ...answer, status: 'canceled' } : answer
}
