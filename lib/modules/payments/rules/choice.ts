import { outcomes, type TestChoice } from '../page.ts'
import { failureReasons } from './failure.ts'

/**
 * Reads the choice of a form. Returns null if the outcome is unknown. An unknown failure reason becomes
 * `general_failure`.
 */
export function readChoice(form: { get(name: string): string | null }): TestChoice | null {
  const outcome = outcomes.find((each) => each === form.get('outcome'))
  if (!outcome) return null
  const failureReason = failureReasons.find((each) => each === form.get('failureReason')) ?? 'general_failure'
  return { outcome, failureReason, mandate: form.get('mandate') === 'pending' ? 'pending' : 'valid' }
}
