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

export type AppliedUpdate = Pick<
  ProviderCharge,
  'ref' | 'status' | 'failureReason' | 'settlesBefore' | 'country' | 'method' | 'isEarlier' | 'transfer'
>

/**
 * Returns null if nothing changed. Throws if the provider reports a payment above 0.00 as paid, but the payment has a different final status here. The money is
 * then not posted, and the task fails until an operator resolves the difference.
 */
export function applyProviderUpdate(
  payment: Payment,
  { ref, status: reported, failureReason, settlesBefore, country, method, transfer }: AppliedUpdate,
  now: Date,
): Payment | null {
  // Ignores updates after a late payment was refunded or the bank returned the debit, because the provider still reports `paid`.
  if (payment.returnedAt !== null) return null
  const trigger = triggers[reported]
  if (trigger === null || payment.status === reported) return null
  if (paymentStates.isFinal(payment.status)) {
    if (reported === 'paid' && payment.amount.minor > 0n)
      throw new Error(`payment ${payment.id} is ${payment.status} here and paid at the provider`)
    return null
  }
  // The response to a charge on a mandate has both the reference and the outcome, so the payment skips the status `open`.
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
