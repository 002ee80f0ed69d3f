import { ProviderUnavailable } from '../../modules/payments/provider-unavailable.ts'
import { log } from '../../platform/log.ts'
import { type Service, serviceProblems } from '../../platform/outbound/service-problems.ts'

/** A provider refused a request because of our account and not because of the buyer. The work waits for an operator. */
export class AccountProblem extends ProviderUnavailable {
  override readonly name = 'AccountProblem'
  override readonly isTemporary = false

  constructor(
    /** The provider's code, such as `capability_not_active`. The provider's text is not used, because it could repeat the buyer's input. */
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Milliseconds for which a problem is reported. This time is longer than the retry interval of waiting work, so a
 * problem does not expire between two retries.
 */
const holdsMs = 86_400_000

/** Runs `work` and rethrows its errors. `/readyz` shows an account problem until work for the same purpose succeeds. */
export async function watched<Result>(account: string, purpose: string, work: () => Promise<Result>): Promise<Result> {
  const service = { kind: 'account', account, purpose } as const
  try {
    const result = await work()
    serviceProblems().resolve(service)
    return result
  } catch (error) {
    if (error instanceof AccountProblem) note(service, error)
    throw error
  }
}

function note(service: Service & { readonly purpose: string }, { code, message }: AccountProblem): void {
  const { account, purpose } = service
  const problem = `refuses ${purpose} (${code})`
  if (serviceProblems().seenHere(service) !== problem)
    log.error({ account, purpose, code }, `a payment account has a problem: ${message}`)
  serviceProblems().report(service, problem, holdsMs)
}
