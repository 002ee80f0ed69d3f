import { type Books, newId } from './stand-in.ts'

/** The books of the stand-in for Stripe: objects in the shapes of its API. Which object an id names is written in full there. */

interface Base {
  readonly id: string
  readonly object: string
  readonly created: number
  metadata: Record<string, string>
}

interface Customer extends Base {
  readonly name: string | null
  readonly email: string | null
}

export interface Method extends Base {
  readonly type: string
  /** Null once it is detached. */
  customer: string | null
  readonly card?: object
  readonly paypal?: object
  readonly sepa_debit?: object
}

interface Mandate extends Base {
  readonly payment_method: string
  readonly status: string
  readonly payment_method_details: object
}

export interface Session extends Base {
  status: 'open' | 'complete' | 'expired'
  readonly mode: 'payment' | 'setup'
  url: string | null
  readonly success_url: string
  readonly cancel_url: string | null
  readonly customer: string | null
  readonly currency: string | null
  readonly amount_total: number | null
  readonly payment_method_types: readonly string[]
  readonly wallet_options: object | null
  payment_intent: string | null
  setup_intent: string | null
  /** What the intent will be: Stripe shows none of it. */
  readonly intended: { metadata: Record<string, string>; description: string; isKept: boolean }
}

interface PaymentError {
  readonly type: string
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

export interface Intent extends Base {
  status: string
  readonly amount?: number
  readonly currency?: string
  readonly customer: string | null
  payment_method: string | null
  readonly payment_method_types: readonly string[]
  readonly description: string
  /** Of a payment intent. */
  latest_charge?: string | null
  last_payment_error?: PaymentError | null
  /** Of a setup intent. */
  latest_attempt?: string | null
  last_setup_error?: PaymentError | null
  mandate?: string | null
}

interface Charge extends Base {
  readonly payment_intent: string | null
  readonly amount: number
  readonly currency: string
  status: 'pending' | 'succeeded' | 'failed'
  disputed: boolean
  readonly payment_method_details: object
}

interface Refund extends Base {
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
}

interface Dispute extends Base {
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly reason: string
  status: string
}

export interface Payout extends Base {
  amount: number
  readonly currency: string
  readonly automatic: boolean
  reconciliation_status: 'completed' | 'in_progress' | 'not_applicable'
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  readonly arrival_date: number
  readonly statement_descriptor: string | null
  readonly trace_id: { readonly status: string; readonly value: string } | null
}

/** A movement of the balance, of a payout. */
export interface Transaction extends Base {
  readonly amount: number
  readonly fee: number
  readonly net: number
  readonly currency: string
  readonly type: string
  readonly reporting_category: string
  /** What moved it. */
  readonly source: string | null
  readonly payout: string
}

export interface StripeBooks extends Books {
  customers: Customer[]
  methods: Method[]
  mandates: Mandate[]
  sessions: Session[]
  intents: Intent[]
  charges: Charge[]
  refunds: Refund[]
  disputes: Dispute[]
  payouts: Payout[]
  transactions: Transaction[]
}

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

export const base = (prefix: string, object: string, metadata: Record<string, string> = {}): Base => ({
  id: newId(prefix),
  object,
  created: Math.floor(Date.now() / 1000),
  metadata,
})

const account = { country: 'NL', last4: '4300' }

/** What a buyer pays with by a type of method. iDEAL and Bancontact make a debit of the account behind them. */
export function pay(books: StripeBooks, type: string, customer: string | null) {
  const details: Record<string, object> = {
    card: { last4: '6787', country: 'DE', brand: 'visa' },
    paypal: { payer_email: 'buyer@example.com' },
    sepa_debit: account,
  }
  const method: Method = { ...base('pm', 'payment_method'), type, customer, [type]: details[type] ?? {} }
  books.methods.push(method)
  const debit = type === 'ideal' || type === 'bancontact' ? { ...base('pm', 'payment_method'), customer } : null
  if (debit && customer) books.methods.push({ ...debit, type: 'sepa_debit', sepa_debit: account })
  const isDebit = debit !== null || type === 'sepa_debit'
  const mandate: Mandate | null = !isDebit
    ? null
    : {
        ...base('mandate', 'mandate'),
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
