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
 * Returns null if nothing changed. Throws if the provider reports a payment above 0.00 as paid, but our payment has a
 * different final status. The service then posts no money, and the task fails until an operator resolves the
 * difference.
 */
export function applyProviderUpdate(
  payment: Payment,
  { ref, status: reported, failureReason, settlesBefore, country, method, transfer }: AppliedUpdate,
  now: Date,
): Payment | null {
  // A payment with `returnedAt` accepts no update, because the provider still reports `paid` after a late payment was
  // refunded or the bank returned the debit.
  if (payment.returnedAt !== null) return null
  const trigger = triggers[reported]
  if (trigger === null || payment.status === reported) return null
  if (paymentStates.isFinal(payment.status)) {
    if (reported === 'paid' && payment.amount.minor > 0n)
      throw new Error(`payment ${payment.id} is ${payment.status} here and paid at the provider`)
    return null
  }
  // A created payment passes through the status `open` here, because the response to a charge on a mandate has both the
  // reference and the outcome.
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
