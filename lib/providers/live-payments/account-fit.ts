import { Refusal } from '../../kernel/refusal.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'

/** With the key of another account, every renewal would fail as if its buyer had revoked the mandate. */

class OtherAccount extends Error {
  override readonly name = 'OtherAccount'
}

/** The check is repeated only at the next charge or start. */
const holdsMs = 7 * 86_400_000

/** Asks for a payment that the account made. Throws `OtherAccount` if it does not have it. */
export async function requireSameAccount(name: string, fetchPayment: () => Promise<unknown>): Promise<void> {
  const service = { kind: 'key', account: name } as const
  await fetchPayment().catch((error) => {
    if (!(error instanceof Refusal)) throw error
    serviceProblems().report(service, 'has the API key of another account', holdsMs)
    throw new OtherAccount('the API key is of another account: it does not know the payments of this one')
  })
  serviceProblems().resolve(service)
}
