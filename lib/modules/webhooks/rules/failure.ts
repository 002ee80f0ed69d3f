import type { Rule } from '../../../kernel/rule-problem.ts'
import { ruleFinder } from '../../../kernel/rule-sentence.ts'

export type FailureKind = 'timeout' | 'unreachable' | 'dns' | 'certificate' | 'redirect' | 'gone' | 'refused' | 'broken'

const kinds = {
  no_response: 'timeout',
  connection_refused: 'unreachable',
  connection_interrupted: 'unreachable',
  connection_timed_out: 'unreachable',
  connection_failed: 'unreachable',
  host_unresolved: 'dns',
  certificate_invalid: 'certificate',
} as const satisfies Partial<Record<Rule, FailureKind>>

const find = ruleFinder(Object.keys(kinds) as (keyof typeof kinds)[])

/**
 * Returns the kind of a failure. Returns null for a successful attempt, and for an error whose text states the remedy.
 */
export function failureKind({ status, error }: { status: number | null; error: string | null }): FailureKind | null {
  if (status === null) {
    const found = find(error ?? '')
    return found && kinds[found.rule]
  }
  if (status >= 200 && status <= 299) return null
  if (status === 410) return 'gone'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'redirect'
}
