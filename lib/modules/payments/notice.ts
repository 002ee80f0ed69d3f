import type { PaymentNotice } from '../checkouts/page.ts'
import type { Payment } from './store.ts'

export function noticeOf(payment: Payment | null): PaymentNotice | null {
  if (!payment) return null
  const isVerification = payment.amount.minor === 0n
  switch (payment.status) {
    case 'failed':
      return { kind: 'declined', reason: payment.failureReason ?? 'general_failure', isVerification }
    case 'canceled':
      return { kind: 'payment_canceled', isVerification }
    case 'expired':
      return { kind: 'payment_expired', isVerification }
    default:
      return null
  }
}
