import { AccountProblem } from '../live-payments/account-problems.ts'
import { StripeAway } from './client.ts'
import { type OfPayment, spendKey, timesSpent } from './store.ts'

/**
 * Creates an object at Stripe with `make`. Before each call, the caller searches for the object, because a failed
 * request may have created it. Stripe saves the result of an idempotency key for 24 hours, even a failure. After a
 * saved failure that is not a decline, the next call uses a new key. Concurrent processes use the same key.
 */
export async function underKey<Made>(
  payment: OfPayment,
  ours: string,
  make: (key: string) => Promise<Made>,
): Promise<Made> {
  const times = await timesSpent(payment, ours)
  try {
    return await make(times === 0 ? ours : `${ours}-${times + 1}`)
  } catch (error) {
    const isSpent = error instanceof AccountProblem || (error instanceof StripeAway && error.isSaved)
    if (isSpent) await spendKey(payment, ours, times)
    throw error
  }
}
