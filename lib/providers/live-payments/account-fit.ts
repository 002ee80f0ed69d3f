import { Refusal } from '../../kernel/refusal.ts'

/**
 * Whether the key that an account has now is of the account that our payments are at. Another one is served, and knows none of their
 * mandates: every renewal would fail as if its buyer had revoked it.
 */

/** Since when this process has known that a key is of another account, by the account's name. */
const others = new Map<string, Date>()

class OtherAccount extends Error {
  override readonly name = 'OtherAccount'
}

/** Asks for a payment that the account made. Throws `OtherAccount` if it does not have it. */
export async function requireSameAccount(name: string, fetchPayment: () => Promise<unknown>): Promise<void> {
  await fetchPayment().catch((error) => {
    if (!(error instanceof Refusal)) throw error
    if (!others.has(name)) others.set(name, new Date())
    throw new OtherAccount('the API key is of another account: it does not know the payments of this one')
  })
  others.delete(name)
}

/** `ok`, or that the key is of another account, and since when that is known. */
export function fitState(name: string): string {
  const since = others.get(name)
  return since ? `has the API key of another account since ${since.toISOString()}` : 'ok'
}

/** For tests: nothing is known. */
export const forgetFit = (): void => others.clear()
