import { outcomes, type TestChoice, type TestOutcome } from '../../modules/payments/page.ts'
import type { MandateTreatment, SandboxPayment } from './store.ts'

/** SEPA Direct Debit settles 10 to 15 minutes after it was made; `chance` is from 0 to 1. */
export const settlementSeconds = (chance: number): number => 600 + Math.floor(chance * 300)

/** Only a payment that is drawn from a bank account can be returned by the bank. */
export const outcomesOf = (payment: Pick<SandboxPayment, 'method' | 'amount'>): TestOutcome[] =>
  outcomes.filter((outcome) => outcome !== 'returned' || isDebit(payment))

/** Over 0.00 nothing is drawn from an account: the mandate is verified at once. */
const isDebit = ({ method, amount }: Pick<SandboxPayment, 'method' | 'amount'>): boolean =>
  method === 'directdebit' && amount.minor > 0n

/** Days from a direct debit's settlement to its return: banks return one for lack of funds within five banking days. */
export const returnDays = 5
/** Days from a return that the customer demanded to the end of its dispute. Nobody can contest such a dispute. */
export const returnFinalDays = 1

/** A direct debit that will be paid is pending until then. */
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

/** The status of a charge on a mandate: a direct debit is on its way until it settles, the others are paid at once. */
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
