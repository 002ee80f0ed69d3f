import { lookUp } from '../../../kernel/look-up.ts'
import type { FailureReason } from './failure.ts'

/** `failed`: nobody disputes the debit, so a recovery begins. `disputed`: the buyer demands the money back. */
export type DebitReturn = { readonly failed: FailureReason } | { readonly disputed: string }

/** The reason codes of SEPA Direct Debit (ISO 20022; EPC173-14). */
const returns: Readonly<Record<string, DebitReturn>> = {
  AM04: { failed: 'insufficient_funds' },
  MS03: { failed: 'general_failure' },
  AC01: { failed: 'invalid_mandate' },
  AC04: { failed: 'account_closed' },
  AC06: { failed: 'account_closed' },
  AG01: { failed: 'invalid_mandate' },
  MD07: { failed: 'account_closed' },
  MS02: { failed: 'mandate_canceled' },
  RC01: { failed: 'invalid_mandate' },
  AM05: { disputed: 'duplicate' },
  MD01: { disputed: 'fraud' },
  MD06: { disputed: 'subscription_canceled' },
  SL01: { disputed: 'subscription_canceled' },
}

export const returnCodes = Object.keys(returns)

/** An unknown code counts as `invalid_mandate`: the debit is not disputed, and the mandate is not charged again. */
export const debitReturnOf = (code: string | null | undefined): DebitReturn | null =>
  code ? (lookUp(returns, code.toUpperCase()) ?? { failed: 'invalid_mandate' }) : null
