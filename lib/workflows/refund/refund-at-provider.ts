import type { Money } from '../../kernel/money.ts'
import type { ProviderRefund } from '../../modules/payments/provider-data.ts'
import { isSimulated, type Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Refunds a payment at its provider. Call this function outside any transaction. A call that is repeated after a crash
 * returns the first outcome. A simulated payment took no money, so its refund succeeds without a call to the provider.
 * For a recalled refund, this function first requests the refund again, because the first request may not have arrived.
 * If the provider has not yet sent the money, the function then cancels the refund at the provider and returns `failed`.
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
