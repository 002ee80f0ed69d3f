import type { FailureReason } from '../../modules/payments/rules/failure.ts'

/**
 * What a provider's code means for a payment. A reason: the buyer's payment failed. `account`: a problem of our account or our request;
 * the payment waits until an operator has solved it. `later`: the provider cannot say yet; the same request is sent again.
 */
export type Verdict = FailureReason | 'account' | 'later'

export type Verdicts = Readonly<Record<string, Verdict>>
