import type { Money } from '../../kernel/money.ts'
import type { ProviderRefund } from '../../modules/payments/provider.ts'
import type { Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Has the provider of a payment send money of it back, outside any transaction. Asked again after a crash it answers what became
 * of the first time. What was simulated took nothing from anybody, and is given back without asking.
 */
export async function refundAtProvider(
  tenant: Tenant,
  payment: Payment,
  request: { idempotencyKey: string; amount: Money },
): Promise<ProviderRefund['status']> {
  if (payment.provider === 'simulated') return 'refunded'
  if (payment.ref === null) throw new Error('a payment was paid at a provider that never knew of it')
  return (await providerFor(payment).refund(tenant, { paymentRef: payment.ref, ...request })).status
}
