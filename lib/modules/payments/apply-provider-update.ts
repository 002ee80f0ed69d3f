import type { ProviderCharge } from './provider-data.ts'
import { paymentStates } from './rules/state.ts'
import type { Payment } from './store.ts'

const triggers = {
  open: null,
  pending: 'wait',
  paid: 'pay',
  failed: 'fail',
  canceled: 'cancel',
  expired: 'expire',
} as const

/** Everything except the mandate and the page. */
export type AppliedUpdate = Pick<
  ProviderCharge,
  'ref' | 'status' | 'failureReason' | 'settlesBefore' | 'country' | 'method' | 'isEarlier' | 'transfer'
>

/**
 * Null if nothing changed. Throws if the provider took money for a payment that has a different final outcome here: the
 * money is not posted, and the task fails until a person decides.
 */
export function applyProviderUpdate(
  payment: Payment,
  { ref, status: reported, failureReason, settlesBefore, country, method, transfer }: AppliedUpdate,
  now: Date,
): Payment | null {
  // The bank returned the debit, but the provider still reports the payment as paid.
  if (payment.returnedAt !== null) return null
  const trigger = triggers[reported]
  if (trigger === null || payment.status === reported) return null
  if (paymentStates.isFinal(payment.status)) {
    if (reported === 'paid' && payment.amount.minor > 0n)
      throw new Error(`payment ${payment.id} is ${payment.status} here and paid at the provider`)
    return null
  }
  // For a charge on a mandate, one response has both the reference and the outcome.
  const known = payment.status === 'created' ? paymentStates.on('created', 'open', 'payment_finished') : payment.status
  const status = paymentStates.on(known, trigger, 'payment_finished')
  return {
    ...payment,
    ref: ref ?? payment.ref,
    method: method ?? payment.method,
    status,
    failureReason,
    settlesBefore,
    country: country ?? payment.country,
    transfer: transfer ?? payment.transfer,
    finishedAt: paymentStates.isFinal(status) ? now : null,
  }
}
