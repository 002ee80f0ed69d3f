import type { FailureReason } from '../../modules/payments/rules/failure.ts'

/** `account`: the payment waits until an operator solves a problem of the provider account. `later`: the same request must be sent again later. */
export type Verdict = FailureReason | 'account' | 'later'

export type Verdicts = Readonly<Record<string, Verdict>>
