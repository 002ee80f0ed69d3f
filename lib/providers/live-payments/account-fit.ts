import { Refusal } from '../../kernel/refusal.ts'
import { ProviderUnavailable } from '../../modules/payments/provider-unavailable.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'

/**
 * The API key belongs to an account that does not have our payments. Thrown when the service starts, or after the
 * provider refused a charge, so nothing was charged.
 */
class OtherAccount extends ProviderUnavailable {
  override readonly name = 'OtherAccount'
  override readonly isTemporary = false
}

/**
 * Milliseconds for which the problem is reported: seven days. The check runs only at a charge or a service start, so
 * the next check can be days away.
 */
const holdsMs = 7 * 86_400_000

/** Whether the API key of `fetchPayment` can read the payment. A key of another account cannot. Throws if the provider does not respond. */
export async function knowsPayment(fetchPayment: () => Promise<unknown>): Promise<boolean> {
  try {
    await fetchPayment()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * Checks that the API key belongs to the account with our payments. With the key of another account, every renewal would fail as if the buyer had revoked the
 * mandate.
 */
export async function requireSameAccount(name: string, fetchPayment: () => Promise<unknown>): Promise<void> {
  const service = { kind: 'key', account: name } as const
  if (await knowsPayment(fetchPayment)) return serviceProblems().resolve(service)
  serviceProblems().report(service, 'has the API key of another account', holdsMs)
  throw new OtherAccount('the API key is a key of another account, which does not have the payments of this account')
}
