import type { FailureReason } from '../../modules/payments/rules/failure.ts'

/** `account`: the payment waits until an operator solves a problem. `later`: the same request must be sent again. */
export type Verdict = FailureReason | 'account' | 'later'

export type Verdicts = Readonly<Record<string, Verdict>>
