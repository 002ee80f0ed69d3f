import { type FailureReason, failureReasons } from '../../checkouts/page.ts'
import type { Outcome } from '../page.ts'
import { outcomes } from '../page.ts'
import type { SandboxPayment } from './store.ts'

/** The outcome that was chosen on the test payment page. */
export interface Choice {
  readonly outcome: Outcome
  readonly failureReason: FailureReason
  readonly mandate: 'valid' | 'pending'
}

/** Reads the page's form; null when it names no outcome. A failure without a reason is a `general_failure`. */
export function readChoice(form: { get(name: string): string | null }): Choice | null {
  const outcome = outcomes.find((each) => each === form.get('outcome'))
  if (!outcome) return null
  const failureReason = failureReasons.find((each) => each === form.get('failureReason')) ?? 'general_failure'
  return { outcome, failureReason, mandate: form.get('mandate') === 'pending' ? 'pending' : 'valid' }
}

/** SEPA Direct Debit settles 10 to 15 minutes after it was made; `chance` is from 0 to 1. */
export const settlementSeconds = (chance: number): number => 600 + Math.floor(chance * 300)

/** What the provider makes of the choice. Direct debits that will be paid are pending until then. */
export function decide(payment: SandboxPayment, choice: Choice, settlesAt: Date): SandboxPayment {
  const mandate = payment.makesMandate ? choice.mandate : null
  switch (choice.outcome) {
    case 'paid':
      return payment.method === 'directdebit'
        ? { ...payment, status: 'pending', mandate, settlesAt }
        : { ...payment, status: 'paid', mandate }
    case 'failed':
      return { ...payment, status: 'failed', failureReason: choice.failureReason }
    default:
      return { ...payment, status: choice.outcome }
  }
}

/** What becomes of a charge on a mandate: a direct debit is on its way until it settles, the others are paid at once. */
export function charged(
  method: SandboxPayment['method'],
  failureReason: FailureReason | null,
  settlesAt: Date,
): Pick<SandboxPayment, 'status' | 'failureReason' | 'settlesAt'> {
  if (failureReason) return { status: 'failed', failureReason, settlesAt: null }
  return method === 'directdebit'
    ? { status: 'pending', failureReason: null, settlesAt }
    : { status: 'paid', failureReason: null, settlesAt: null }
}
