import type { Money } from '../../kernel/money.ts'
import type { ProviderRefund } from '../../modules/payments/provider-data.ts'
import { isSimulated, type Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Call it outside any transaction. A call repeated after a crash returns the first outcome. A simulated payment took no
 * money, so its refund succeeds without a call to the provider.
 *
 * A recalled refund is canceled if the provider still holds it, and then fails. It is created before it is canceled,
 * because a missing refund may just not have arrived yet.
 */
export async function refundAtProvider(
  tenant: Tenant,
  payment: Payment,
  { isRecalled, ...request }: { idempotencyKey: string; amount: Money; isRecalled: boolean },
): Promise<ProviderRefund['status']> {
  if (isSimulated(payment)) return 'refunded'
  const { ref: paymentRef } = payment
  if (paymentRef === null) throw new Error('a paid payment has no reference at its provider')
  const provider = providerFor(payment)
  const made = await provider.refund(tenant, { paymentRef, ...request })
  if (!isRecalled || made.status !== 'pending' || !provider.cancelRefund) return made.status
  return (await provider.cancelRefund(tenant, { paymentRef, ref: made.ref })).status
}
