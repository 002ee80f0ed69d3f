import { lookUp } from '../../../kernel/look-up.ts'

/** The reasons that have a translated text. All names except `fraud` are names of Stripe. */
export const chargebackReasons = [
  'fraud',
  'product_not_received',
  'product_unacceptable',
  'duplicate',
  'subscription_canceled',
  'insufficient_funds',
  'credit_not_processed',
  'unrecognized',
  'debit_not_authorized',
  'customer_initiated',
  'bank_cannot_process',
  'incorrect_account_details',
  'noncompliant',
  'general',
] as const

type ChargebackReason = (typeof chargebackReasons)[number]

/** Maps each dispute reason that ends the subscription to the cancellation reason of the subscription. */
const endingReasons = { fraud: 'payment_failure', subscription_canceled: 'customer_request' } as const

export const cancellationReasonOf = (reason: string): 'payment_failure' | 'customer_request' | null =>
  lookUp(endingReasons, reason) ?? null

export function reasonText(reason: string, textOf: (known: ChargebackReason) => string): string {
  // Providers send `chargeback` if the bank gave no reason.
  if (reason === 'chargeback') return textOf('general')
  const known = chargebackReasons.find((each) => each === reason)
  if (known) return textOf(known)
  return /^[a-z0-9_]+$/.test(reason) ? sentenceCase(reason.replaceAll('_', ' ').trim()) : reason
}

export const explainedReason = (reason: string): ChargebackReason =>
  chargebackReasons.find((each) => each === reason) ?? 'general'

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
