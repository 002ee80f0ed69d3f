import type { ProviderPayment } from './provider.ts'
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

/** What is heard of a payment: all that a provider says, but for what concerns its mandate and its page. */
export type AppliedUpdate = Pick<ProviderPayment, 'ref' | 'status' | 'failureReason'>

/**
 * A payment as the provider says it is; null when that is no news. Throws when a provider took money for a payment that has
 * another outcome here: nobody booked it, and the task that hears of it fails until a person has looked.
 */
export function applyProviderUpdate(
  payment: Payment,
  { ref, status: told, failureReason }: AppliedUpdate,
  now: Date,
): Payment | null {
  const trigger = triggers[told]
  if (trigger === null || payment.status === told) return null
  if (paymentStates.isFinal(payment.status)) {
    if (told === 'paid') throw new Error(`payment ${payment.id} is ${payment.status} here and paid at the provider`)
    return null
  }
  // A charge on a mandate has its outcome in the answer that says where it is.
  const known = payment.status === 'created' ? paymentStates.on('created', 'open', 'payment_finished') : payment.status
  const status = paymentStates.on(known, trigger, 'payment_finished')
  return { ...payment, ref, status, failureReason, finishedAt: paymentStates.isFinal(status) ? now : null }
}
