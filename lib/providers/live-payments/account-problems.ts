import { log } from '../../platform/log.ts'

/**
 * What a provider refuses because of our account or our request, and not because of the buyer: a capability that is off, a permission
 * that an API key lacks. The buyer did nothing wrong, so no recovery begins: the work waits until an operator has solved the problem.
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

interface Known {
  readonly code: string
  readonly since: Date
}

/** Of each account what it refuses, by purpose: `charges`, `refunds`. */
const problems = new Map<string, Map<string, Known>>()

/**
 * Does what serves a purpose at an account. An account problem is logged once and shown by `/readyz`, until the same purpose succeeds.
 * Throws what the work throws.
 */
export async function watched<Result>(account: string, purpose: string, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work()
    problems.get(account)?.delete(purpose)
    return result
  } catch (error) {
    if (error instanceof AccountProblem) note(account, purpose, error)
    throw error
  }
}

function note(account: string, purpose: string, { code, message }: AccountProblem): void {
  const ofAccount = problems.get(account) ?? new Map<string, Known>()
  problems.set(account, ofAccount)
  if (ofAccount.get(purpose)?.code === code) return
  ofAccount.set(purpose, { code, since: new Date() })
  log.error({ account, purpose, code }, `a payment account has a problem: ${message}`)
}

/** `ok`, or what an account refuses, why, and since when. */
export function problemsState(account: string): string {
  const [first] = problems.get(account) ?? []
  if (!first) return 'ok'
  const [purpose, { code, since }] = first
  return `refuses ${purpose} (${code}) since ${since.toISOString()}`
}

/** For tests: nothing is known. */
export const forgetProblems = (): void => problems.clear()
