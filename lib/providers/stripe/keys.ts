import { AccountProblem } from '../live-payments/account-problems.ts'
import { StripeAway } from './client.ts'
import { type OfPayment, spendKey, timesSpent } from './store.ts'

/**
 * Makes an object at Stripe, under an idempotency key that is made of ours. Stripe saves the result of a key for 24 hours, failures
 * included. A key is spent once its saved result is a failure that decides nothing for the buyer; the next request takes the next key.
 * The caller looks for the object before each request: a request that failed may have made it. Two processes use the same key at any
 * time, because a key is spent once.
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
