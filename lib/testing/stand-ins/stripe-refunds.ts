import type { Answer } from './stand-in.ts'
import { type Given, missing, ok, refused } from './stripe-answers.ts'
import { base, type StripeBooks } from './stripe-books.ts'

export const refundsOf = (books: StripeBooks, { payment_intent: intent, created }: Given) =>
  books.refunds
    .filter((each) => (!intent || each.payment_intent === intent) && each.created >= Number(created?.gte ?? 0))
    .toReversed()

export const refundedOf = (books: StripeBooks, intentId: string): number =>
  books.refunds
    .filter((each) => each.payment_intent === intentId && each.status !== 'failed' && each.status !== 'canceled')
    .reduce((sum, each) => sum + each.amount, 0)

export function createRefund(books: StripeBooks, { payment_intent: intentId, amount, metadata = {} }: Given): Answer {
  const intent = books.intents.find(({ id }) => id === intentId)
  if (!intent) return missing('payment_intent', 'payment_intent')
  if (intent.status !== 'succeeded') return refused(400, 'This PaymentIntent has no successful charge to refund')
  const left = (intent.amount ?? 0) - refundedOf(books, intent.id)
  if (Number(amount) > left) return refused(400, 'Greater than unrefunded amount', { param: 'amount' })
  const made = {
    ...base('re', 'refund', metadata),
    payment_intent: intentId,
    amount: Number(amount),
    currency: intent.currency ?? 'eur',
    status: 'pending' as const,
  }
  books.refunds.push(made)
  return ok(made)
}

export function cancelRefund(books: StripeBooks, id: string): Answer {
  const refund = books.refunds.find((each) => each.id === id)
  if (!refund) return missing('refund')
  if (refund.status !== 'requires_action') return refused(400, 'Only refunds that require action can be canceled')
  refund.status = 'canceled'
  return ok(refund)
}
