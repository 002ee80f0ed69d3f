import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { paymentByRef, paymentThatPaid } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { providerFor, providerOf } from '../../providers/index.ts'

/** A provider may know a payment before we have saved its reference: then it is the provider of new payments. */
export async function providerOfRef(tenant: Tenant, ref: string): Promise<PaymentProvider> {
  const payment = await paymentByRef(db(), tenant, ref)
  return payment ? providerFor(payment) : await providerOf(tenant)
}

/** Throws if the order was not paid. */
export async function providerThatWasPaid(orderId: string): Promise<PaymentProvider> {
  const payment = await paymentThatPaid(db(), orderId)
  if (!payment) throw new Error(`the order ${orderId} was not paid`)
  return providerFor(payment)
}
