import type { Money } from '../../kernel/money.ts'
import type { ProviderRefund } from '../../modules/payments/provider-data.ts'
import { isSimulated, type Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Has a payment's provider send money back, outside any transaction. A call that is repeated after a crash returns the
 * outcome of the first one. A simulated payment took no money, so its refund succeeds without a call to the provider.
 */
export async function refundAtProvider(
  tenant: Tenant,
  payment: Payment,
  request: { idempotencyKey: string; amount: Money },
): Promise<ProviderRefund['status']> {
  if (isSimulated(payment)) return 'refunded'
  if (payment.ref === null) throw new Error('a payment was paid at a provider that never knew of it')
  return (await providerFor(payment).refund(tenant, { paymentRef: payment.ref, ...request })).status
}
