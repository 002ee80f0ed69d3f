import { lookUp } from '../../../kernel/look-up.ts'

/** The reasons that have a text in each language: ours, and those that Stripe names alike. */
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

/**
 * The reasons of a dispute after which nothing more is charged, each with the cancellation reason that the subscription
 * gets.
 */
const endingReasons = { fraud: 'payment_failure', subscription_canceled: 'customer_request' } as const

/** The cancellation reason that a dispute with this reason gives a subscription. Null if the dispute leaves it alone. */
export const cancellationReasonOf = (reason: string): 'payment_failure' | 'customer_request' | null =>
  lookUp(endingReasons, reason) ?? null

/**
 * A reason as a person reads it: in their language where it is a known one, in the bank's own words where it comes in
 * words. A provider's code that is not known is at least spelled as words.
 */
export function reasonText(reason: string, textOf: (known: ChargebackReason) => string): string {
  // What payment providers say that name no reason.
  if (reason === 'chargeback') return textOf('general')
  const known = chargebackReasons.find((each) => each === reason)
  if (known) return textOf(known)
  return /^[a-z0-9_]+$/.test(reason) ? sentenceCase(reason.replaceAll('_', ' ').trim()) : reason
}

/** The reason with an explanation: the known reason, or `general` for every other reason. */
export const explainedReason = (reason: string): ChargebackReason =>
  chargebackReasons.find((each) => each === reason) ?? 'general'

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
