import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Cancels an open payment at the provider. Returns the resulting status, which may be paid; null if no payment was open. If the provider cannot cancel the
 * payment, the payment is canceled only in our books. If the buyer pays later, the money is returned (`return-money.ts`).
 */
export async function cancelAtProvider(tenant: Tenant, payment: Payment | null): Promise<ProviderPayment | null> {
  if (payment?.status !== 'open' || payment.ref === null) return null
  const answer = await providerFor(payment).cancelPayment(tenant, payment.ref)
  return answer.status === 'open' ? { ...answer, status: 'canceled' } : answer
}
