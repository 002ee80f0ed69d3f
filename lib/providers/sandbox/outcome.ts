import { outcomes, type TestChoice, type TestOutcome } from '../../modules/payments/page.ts'
import type { MandateTreatment, SandboxPayment } from './store.ts'

/** Returns the seconds until a direct debit settles: 600 to 899. `chance` is at least 0 and below 1. */
export const settlementSeconds = (chance: number): number => 600 + Math.floor(chance * 300)

export const outcomesOf = (payment: Pick<SandboxPayment, 'method' | 'amount'>): TestOutcome[] =>
  outcomes.filter((outcome) => outcome !== 'returned' || isDebit(payment))

/** A payment of 0.00 only sets up the mandate, so it is not a debit. */
const isDebit = ({ method, amount }: Pick<SandboxPayment, 'method' | 'amount'>): boolean =>
  method === 'directdebit' && amount.minor > 0n

/** Days from the settlement of a direct debit to its return. Banks return a debit for lack of funds within five banking days. */
export const returnDays = 5
export const returnFinalDays = 1

export function decide(payment: SandboxPayment, choice: TestChoice, settlesAt: Date): SandboxPayment {
  const mandate = payment.makesMandate ? choice.mandate : null
  switch (choice.outcome) {
    case 'paid':
    case 'returned':
      return isDebit(payment)
        ? { ...payment, status: 'pending', mandate, settlesAt, returns: choice.outcome === 'returned' }
        : { ...payment, status: 'paid', mandate }
    case 'failed':
      return { ...payment, status: 'failed', failureReason: choice.failureReason }
    default:
      return { ...payment, status: choice.outcome }
  }
}

export function charged(
  payment: Pick<SandboxPayment, 'method' | 'amount'>,
  { declines, returns }: MandateTreatment,
  settlesAt: Date,
): Pick<SandboxPayment, 'status' | 'failureReason' | 'settlesAt' | 'returns'> {
  if (declines) return { status: 'failed', failureReason: declines, settlesAt: null, returns: false }
  return isDebit(payment)
    ? { status: 'pending', failureReason: null, settlesAt, returns }
    : { status: 'paid', failureReason: null, settlesAt: null, returns: false }
}
