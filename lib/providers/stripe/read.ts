import type Stripe from 'stripe'

/**
 * The fields that the adapter reads. `lib/testing/stand-ins/stripe-books.test.ts` does not compile if the simulated
 * Stripe server omits one of them.
 */

export type ReadSession = Pick<
  Stripe.Checkout.Session,
  'id' | 'status' | 'created' | 'metadata' | 'payment_intent' | 'setup_intent' | 'url'
>

export type ReadPaymentIntent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'status'
  | 'created'
  | 'metadata'
  | 'amount'
  | 'currency'
  | 'customer'
  | 'payment_method'
  | 'payment_method_types'
  | 'latest_charge'
  | 'last_payment_error'
  | 'cancellation_reason'
>

export type ReadSetupIntent = Pick<
  Stripe.SetupIntent,
  | 'id'
  | 'status'
  | 'created'
  | 'customer'
  | 'payment_method'
  | 'payment_method_types'
  | 'latest_attempt'
  | 'last_setup_error'
  | 'mandate'
>

export type ReadIntent = ReadPaymentIntent | ReadSetupIntent

export type ReadCharge = Pick<
  Stripe.Charge,
  'id' | 'status' | 'metadata' | 'amount' | 'currency' | 'disputed' | 'amount_refunded' | 'payment_method_details'
>

export type ReadMethod = Pick<Stripe.PaymentMethod, 'id' | 'type' | 'card' | 'paypal' | 'sepa_debit'>

export type ReadMandate = Pick<Stripe.Mandate, 'payment_method_details'>

export type ReadRefund = Pick<Stripe.Refund, 'id' | 'status' | 'metadata' | 'amount' | 'currency' | 'payment_intent'>

export type ReadDispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'status'
  | 'metadata'
  | 'reason'
  | 'amount'
  | 'currency'
  | 'payment_intent'
  | 'payment_method_details'
  | 'evidence_details'
>

export type ReadPayout = Pick<
  Stripe.Payout,
  | 'id'
  | 'status'
  | 'amount'
  | 'currency'
  | 'automatic'
  | 'reconciliation_status'
  | 'arrival_date'
  | 'statement_descriptor'
  | 'trace_id'
>

export type ReadTransaction = Pick<
  Stripe.BalanceTransaction,
  'id' | 'type' | 'reporting_category' | 'source' | 'amount' | 'fee'
>
