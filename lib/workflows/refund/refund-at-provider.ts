import type { Money } from '../../kernel/money.ts'
import type { ProviderRefund } from '../../modules/payments/provider-data.ts'
import { isSimulated, type Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Has a payment's provider send money back, outside any transaction. A call that is repeated after a crash returns the
 * outcome of the first one. A simulated payment took no money, so its refund succeeds without a call to the provider.
 *
 * One that was recalled is canceled there, if the provider still has it: then it has failed. It is made before it is canceled, also
 * where the first request was lost, because one that is not there may only not have arrived yet.
 */
export async function refundAtProvider(
  tenant: Tenant,
  payment: Payment,
  { isRecalled, ...request }: { idempotencyKey: string; amount: Money; isRecalled: boolean },
): Promise<ProviderRefund['status']> {
  if (isSimulated(payment)) return 'refunded'
  const { ref: paymentRef } = payment
  if (paymentRef === null) throw new Error('a payment was paid at a provider that never knew of it')
  const provider = providerFor(payment)
  const made = await provider.refund(tenant, { paymentRef, ...request })
  if (!isRecalled || made.status !== 'pending' || !provider.cancelRefund) return made.status
  return (await provider.cancelRefund(tenant, { paymentRef, ref: made.ref })).status
}
