import type { PaymentProvider } from '../modules/payments/provider.ts'
import type { Payment } from '../modules/payments/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { sandbox } from './sandbox/provider.ts'

const providers: Readonly<Record<Exclude<Payment['provider'], 'simulated'>, PaymentProvider>> = { sandbox }

/**
 * The provider of a payment. This is the one place that knows all providers. Throws on a simulated payment: a test
 * helper decides its outcome, and no provider knows it.
 */
export function providerFor({ provider }: Pick<Payment, 'provider'>): PaymentProvider {
  if (provider === 'simulated') throw new Error('a simulated payment has no provider')
  return providers[provider]
}

/** The provider of new payments in a mode. Live mode has none yet: its checkouts cannot be paid. */
export function providerOf({ testmode }: Pick<Tenant, 'testmode'>): PaymentProvider {
  if (!testmode) throw new Error('live payments are not set up')
  return sandbox
}
