import type Stripe from 'stripe'
import type { Official, Part } from './official.ts'
import { type Books, newId } from './stand-in.ts'

interface Base<Name extends string> {
  readonly id: string
  readonly object: Name
  readonly created: number
  metadata: Record<string, string>
}

interface Customer extends Base<'customer'> {
  readonly name: string | null
  readonly email: string | null
}

export interface Method extends Base<'payment_method'> {
  readonly type: Stripe.PaymentMethod.Type
  customer: string | null
  readonly card?: Part<Stripe.PaymentMethod.Card>
  readonly paypal?: Part<Stripe.PaymentMethod.Paypal>
  readonly sepa_debit?: Part<Stripe.PaymentMethod.SepaDebit>
}

interface Mandate {
  readonly id: string
  readonly object: 'mandate'
  readonly payment_method: string
  readonly status: Stripe.Mandate.Status
  readonly payment_method_details: Part<Stripe.Mandate.PaymentMethodDetails>
}

export interface Session extends Base<'checkout.session'> {
  status: 'open' | 'complete' | 'expired'
  readonly mode: 'payment' | 'setup'
  url: string | null
  readonly success_url: string
  readonly cancel_url: string | null
  readonly customer: string | null
  readonly currency: string | null
  readonly amount_total: number | null
  readonly payment_method_types: readonly string[]
  readonly wallet_options: Part<Stripe.Checkout.Session.WalletOptions> | null
  payment_intent: string | null
  setup_intent: string | null
  readonly intended: { metadata: Record<string, string>; description: string; isKept: boolean }
}

interface PaymentError {
  readonly type: string
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

export interface Intent extends Base<'payment_intent' | 'setup_intent'> {
  status: Stripe.PaymentIntent.Status
  readonly amount?: number
  readonly currency?: string
  readonly customer: string | null
  payment_method: string | null
  readonly payment_method_types: readonly string[]
  readonly description: string
  latest_charge?: string | null
  readonly cancellation_reason: Stripe.PaymentIntent.CancellationReason | null
  last_payment_error?: PaymentError | null
  latest_attempt?: string | null
  last_setup_error?: PaymentError | null
  mandate?: string | null
}

interface Charge extends Base<'charge'> {
  readonly payment_intent: string | null
  readonly amount: number
  readonly currency: string
  status: 'pending' | 'succeeded' | 'failed'
  disputed: boolean
  readonly amount_refunded: number
  readonly payment_method_details: Part<Stripe.Charge.PaymentMethodDetails>
}

interface Refund extends Base<'refund'> {
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
}

interface Dispute extends Base<'dispute'> {
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly reason: string
  status: Stripe.Dispute.Status
  evidence_details: Stripe.Dispute.EvidenceDetails
  evidence: Part<Stripe.Dispute.Evidence>
}

export interface Payout extends Base<'payout'> {
  amount: number
  readonly currency: string
  readonly automatic: boolean
  reconciliation_status: 'completed' | 'in_progress' | 'not_applicable'
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  readonly arrival_date: number
  readonly statement_descriptor: string | null
  readonly trace_id: { readonly status: string; readonly value: string } | null
}

/** An entry of the account balance. `payout` names the payout that contains the entry. */
export interface Transaction extends Base<'balance_transaction'> {
  readonly amount: number
  readonly fee: number
  readonly net: number
  readonly currency: string
  readonly type: Stripe.BalanceTransaction.Type
  readonly reporting_category: string
  readonly source: string | null
  readonly payout: string
}

type PaymentOrSetup = Omit<Stripe.PaymentIntent, 'object'> &
  Omit<Stripe.SetupIntent, keyof Stripe.PaymentIntent> & { object: 'payment_intent' | 'setup_intent' }

export interface StripeBooks extends Books {
  customers: Official<Customer, Stripe.Customer>[]
  methods: Official<Method, Stripe.PaymentMethod>[]
  mandates: Official<Mandate, Stripe.Mandate>[]
  sessions: Official<Session, Stripe.Checkout.Session, (typeof hiddenIn)['checkout.session'][number]>[]
  intents: Official<Intent, PaymentOrSetup>[]
  charges: Official<Charge, Stripe.Charge>[]
  refunds: Official<Refund, Stripe.Refund>[]
  disputes: Official<Dispute, Stripe.Dispute>[]
  payouts: Official<Payout, Stripe.Payout>[]
  transactions: Official<Transaction, Stripe.BalanceTransaction, (typeof hiddenIn)['balance_transaction'][number]>[]
}

export const hiddenIn = {
  'checkout.session': ['intended'],
  balance_transaction: ['metadata', 'payout'],
} as const

export const emptyBooks = (): StripeBooks => ({
  customers: [],
  methods: [],
  mandates: [],
  sessions: [],
  intents: [],
  charges: [],
  refunds: [],
  disputes: [],
  payouts: [],
  transactions: [],
  answered: {},
})

export const base = <const Name extends string>(
  prefix: string,
  object: Name,
  metadata: Record<string, string> = {},
): Base<Name> => ({
  id: newId(prefix),
  object,
  created: Math.floor(Date.now() / 1000),
  metadata,
})

const account = { country: 'NL', last4: '4300' } as const satisfies Part<Stripe.PaymentMethod.SepaDebit>

const described = {
  card: { last4: '6787', country: 'DE', brand: 'visa' },
  paypal: { payer_email: 'buyer@example.com' },
  sepa_debit: account,
} as const satisfies Part<Stripe.PaymentMethod> & Part<Stripe.Charge.PaymentMethodDetails>
const details: Readonly<Record<string, object>> = described

/**
 * An iDEAL or Bancontact payment of a customer also creates a payment method for SEPA direct debits from the bank
 * account.
 */
export function pay(books: StripeBooks, type: Stripe.PaymentMethod.Type, customer: string | null) {
  const method: Method = { ...base('pm', 'payment_method'), type, customer, [type]: details[type] ?? {} }
  books.methods.push(method)
  const debit = type === 'ideal' || type === 'bancontact' ? { ...base('pm', 'payment_method'), customer } : null
  if (debit && customer) books.methods.push({ ...debit, type: 'sepa_debit', sepa_debit: account })
  const isDebit = debit !== null || type === 'sepa_debit'
  const mandate: Mandate | null = !isDebit
    ? null
    : {
        id: newId('mandate'),
        object: 'mandate',
        status: 'active',
        payment_method: (debit ?? method).id,
        payment_method_details: {
          type: 'sepa_debit',
          sepa_debit: { reference: newId('ST').toUpperCase().slice(0, 11) },
        },
      }
  if (mandate) books.mandates.push(mandate)
  const generated = customer
    ? { generated_sepa_debit: debit?.id ?? null, generated_sepa_debit_mandate: mandate?.id ?? null }
    : { generated_sepa_debit: null, generated_sepa_debit_mandate: null }
  const shown = type === 'sepa_debit' ? { ...account, mandate: mandate?.id ?? null } : (details[type] ?? {})
  const paid = { type, [type]: debit ? { ...generated, iban_last4: account.last4 } : shown }
  return { method, details: paid, mandate }
}
