import { log } from '../../platform/log.ts'
import { type Service, serviceProblems } from '../../platform/outbound/service-problems.ts'

/**
 * Refusals of a provider that our account or our request causes, and not the buyer: a capability that is off, a missing
 * permission of an API key. No recovery begins: the work waits until an operator has solved the problem.
 */
export class AccountProblem extends Error {
  override readonly name = 'AccountProblem'

  constructor(
    /** The provider's code, for example `capability_not_active`: never a text that may repeat what a buyer typed. */
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Waiting work is retried sooner than this. */
const holdsMs = 86_400_000

/**
 * Does what serves a purpose at an account (`charges`, `refunds`). An account problem is logged once and shown by `/readyz` of all
 * processes, until the same purpose succeeds. Throws what the work throws.
 */
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
