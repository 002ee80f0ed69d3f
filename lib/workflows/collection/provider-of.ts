import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { paymentByRef, paymentThatPaid } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor, providerOf } from '../../providers/index.ts'

/** Returns the provider of the payment with this reference. If the payment is not saved yet, returns the provider of new payments. */
export async function providerOfRef(tenant: Tenant, ref: string): Promise<PaymentProvider> {
  const payment = await paymentByRef(db(), tenant, ref)
  return payment ? providerFor(payment) : await providerOf(tenant)
}

export async function providerThatWasPaid(orderId: string): Promise<PaymentProvider> {
  const payment = await paymentThatPaid(db(), orderId)
  if (!payment) throw new Error(`the order ${orderId} was not paid`)
  return providerFor(payment)
}
