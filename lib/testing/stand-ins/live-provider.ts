import { resetConnection as resetMollie } from '../../providers/mollie/client.ts'
import { forgetMethods as forgetMollieMethods } from '../../providers/mollie/methods.ts'
import { resetConnection as resetStripe } from '../../providers/stripe/client.ts'
import { forgetMethods as forgetStripeMethods } from '../../providers/stripe/methods.ts'
import { startMollie } from './mollie.ts'
import type { MollieBooks } from './mollie-books.ts'
import { type Fault, newId, type Options } from './stand-in.ts'
import { type StripeStandIn, startStripe } from './stripe.ts'
import { base, type StripeBooks } from './stripe-books.ts'

/**
 * This file defines a common interface for the simulated servers of all live providers, for tests that run with each of
 * these servers.
 */

interface MadePayment {
  readonly ref: string
  readonly kind: 'with a mandate' | 'once' | 'on a mandate'
  readonly amount: string
  readonly customerRef: string
  readonly status: 'open' | 'pending' | 'paid' | 'over'
}

interface Refund {
  readonly amount: string
  readonly isCanceled: boolean
  settle(): void
  keep(): void
  passOn(): void
}

export interface LiveProvider {
  readonly name: 'mollie' | 'stripe'
  readonly account: {
    readonly apiKey: string
    readonly base: string
    readonly webhookSecret: null
    readonly accessToken: string | null
  }
  readonly settlements: {
    settle(): { readonly id: string; readonly reference: string }
    short(): void
    refuse(isRefused: boolean): void
  }
  readonly url: string
  readonly books: MollieBooks | StripeBooks
  readonly title: string
  failNext(fault: Fault, options?: { method?: string; times?: number }): void
  hasFaults(): boolean
  /** Counts the requests whose path contains `of`. The default is all requests. */
  requests(of?: string): number
  paymentsAskedFor(): number
  forgetKeys(): void
  shortenPages(mostOnPage: number): void
  rollKey(apiKey: string): void
  opensWith(key: string): boolean
  payments(): readonly MadePayment[]
  customers(): readonly string[]
  mandatesOf(customerRef: string): readonly string[]
  pay(ref: string): void
  bounce(ref: string): void
  expire(mandateId: string): void
  revoke(mandateId: string): void
  /** Makes a bank return a debit for lack of money. The return is final. */
  returnDebit(ref: string): void
  /** Makes a buyer ask the bank to return a direct debit. The return is final. */
  demandBack(ref: string): void
  dispute(ref: string): void
  winDisputes(): void
  /**
   * Makes the merchant lose every open dispute of a card payment. Does nothing for Mollie, because Mollie reports no
   * loss.
   */
  loseDisputes(): void
  refundByHand(ref: string, amount?: string): void
  lose(ref: string): void
  refundsOf(ref: string): readonly Refund[]
  noticeOf(ref: string): { readonly body: string; readonly contentType: string }
  /** Clears what this process has cached about the provider: its payment methods, and whether it has an outage. */
  reset(): void
  resetConnection(): void
  close(): Promise<void>
}

export async function liveMollie(options: Options = {}): Promise<LiveProvider> {
  const standIn = await startMollie(options)
  const { books } = standIn
  const money = ({ value, currency }: { value: string; currency: string }) => `${value} ${currency}`
  const kinds = { first: 'with a mandate', oneoff: 'once', recurring: 'on a mandate' } as const
  const statusOf = (status: string) =>
    status === 'open' || status === 'pending' || status === 'paid' ? status : ('over' as const)
  return {
    ...common(standIn),
    name: 'mollie',
    settlements: {
      settle: () => standIn.settle(),
      short() {
        const last = books.settlements.at(-1)
        if (!last) throw new Error('the stand-in has no settlement')
        last.amount = { ...last.amount, value: (Number(last.amount.value) - 0.01).toFixed(2) }
      },
      refuse: (isRefused) => standIn.refuseToken(isRefused),
    },
    title: 'Mollie',
    paymentsAskedFor: () => standIn.requests.filter((each) => each === 'POST /v2/payments').length,
    payments: () =>
      books.payments.map(({ id, sequenceType, amount, customerId, status }) => ({
        ref: id,
        kind: kinds[sequenceType],
        amount: money(amount),
        customerRef: customerId ?? '',
        status: statusOf(status),
      })),
    customers: () => books.customers.map(({ id }) => id),
    mandatesOf: (customerRef) =>
      books.mandates.flatMap(({ id, customerId, status }) =>
        customerId === customerRef && status !== 'invalid' ? id : [],
      ),
    pay: (ref) => standIn.decide(ref, 'paid', { cardCountryCode: 'DE' }),
    bounce: (ref) => standIn.decide(ref, 'failed', { bankReasonCode: 'AM04' }),
    expire: (mandateId) => standIn.decline(mandateId, 'card_expired'),
    revoke(mandateId) {
      for (const mandate of books.mandates) if (mandate.id === mandateId) mandate.status = 'invalid'
    },
    returnDebit: (ref) => void standIn.dispute(ref, { code: 'AM04', description: 'Insufficient funds' }),
    demandBack: (ref) => void standIn.dispute(ref, { code: 'MD06', description: 'Refund request by end customer' }),
    dispute: (ref) => void standIn.dispute(ref),
    winDisputes() {
      // Skips returned debits, which have a reason from the bank, because a merchant cannot contest a returned debit.
      for (const chargeback of books.chargebacks.filter(({ reason }) => reason === null))
        chargeback.reversedAt = new Date().toISOString()
    },
    // Does nothing, because Mollie does not report a lost dispute. A dispute that is not reversed within half a year
    // counts as lost.
    loseDisputes: () => undefined,
    ...mollieMishaps(books),
    refundsOf: (ref) =>
      books.refunds
        .filter(({ paymentId }) => paymentId === ref)
        .map((refund) => refundOf(refund, money(refund.amount), ['refunded', 'queued', 'processing'])),
    noticeOf: (ref) => ({ body: `id=${ref}`, contentType: 'application/x-www-form-urlencoded' }),
    resetConnection: resetMollie,
    reset() {
      resetMollie()
      forgetMollieMethods()
    },
  }
}

const stripeMoney = (cents: number, currency: string) => `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`

function stripePayments(books: StripeBooks, intentOf: (ref: string) => string): readonly MadePayment[] {
  const statuses: Readonly<Record<string, MadePayment['status']>> = { processing: 'pending', succeeded: 'paid' }
  const statusOf = (status: string) => statuses[status] ?? 'over'
  const intentStatus = (id: string) => books.intents.find((each) => each.id === id)?.status ?? ''
  const sessions = books.sessions.map(({ id, intended, amount_total, currency, customer, status }) => ({
    ref: id,
    kind: intended.isKept ? ('with a mandate' as const) : ('once' as const),
    amount: stripeMoney(amount_total ?? 0, currency ?? ''),
    customerRef: customer ?? '',
    status: status === 'open' ? status : statusOf(intentStatus(intentOf(id))),
  }))
  const ofSessions = new Set(books.sessions.map(({ payment_intent, setup_intent }) => payment_intent ?? setup_intent))
  const charges = books.intents
    .filter(({ id }) => !ofSessions.has(id))
    .map(({ id, amount = 0, currency = '', customer, status }) => ({
      ref: id,
      kind: 'on a mandate' as const,
      amount: stripeMoney(amount, currency),
      customerRef: customer ?? '',
      status: statusOf(status),
    }))
  return [...sessions, ...charges]
}

export async function liveStripe(options: Options = {}): Promise<LiveProvider & { readonly standIn: StripeStandIn }> {
  const standIn = await startStripe(options)
  const { books } = standIn
  const intentOf = (ref: string) => books.sessions.find(({ id }) => id === ref)?.payment_intent ?? ref
  return {
    ...common(standIn),
    standIn,
    name: 'stripe',
    settlements: stripeSettlements(standIn),
    title: 'Stripe',
    paymentsAskedFor: () =>
      standIn.requests.filter((each) => /^POST \/v1\/(?:checkout\/sessions|payment_intents)$/.test(each)).length,
    payments: () => stripePayments(books, intentOf),
    customers: () => books.customers.map(({ id }) => id),
    mandatesOf: (customerRef) =>
      books.methods.flatMap(({ id, customer, type }) =>
        customer === customerRef && ['card', 'paypal', 'sepa_debit'].includes(type) ? id : [],
      ),
    pay: (ref) => (ref.startsWith('cs_') ? standIn.finish(ref, 'paid') : standIn.settle(ref, null)),
    bounce: (ref) => standIn.settle(ref, 'insufficient_funds'),
    expire: (mandateId) => standIn.decline(mandateId, 'expired_card'),
    revoke(mandateId) {
      for (const method of books.methods) if (method.id === mandateId) method.customer = null
    },
    returnDebit: (ref) => void standIn.dispute(intentOf(ref), { reason: 'insufficient_funds', status: 'lost' }),
    demandBack: (ref) => void standIn.dispute(intentOf(ref), { reason: 'customer_initiated', status: 'lost' }),
    dispute: (ref) => void standIn.dispute(intentOf(ref), {}),
    winDisputes() {
      for (const dispute of books.disputes) if (dispute.status !== 'lost') dispute.status = 'won'
    },
    loseDisputes() {
      for (const dispute of books.disputes) if (dispute.status !== 'won') dispute.status = 'lost'
    },
    ...stripeMishaps(books, intentOf),
    refundsOf: (ref) =>
      books.refunds
        .filter(({ payment_intent }) => payment_intent === intentOf(ref))
        .map((refund) =>
          refundOf(refund, stripeMoney(refund.amount, refund.currency), ['succeeded', 'requires_action', 'pending']),
        ),
    noticeOf: (ref) => {
      const type = ref.startsWith('cs_') ? 'checkout.session.completed' : 'payment_intent.succeeded'
      const event = { id: 'evt_1', object: 'event', type, data: { object: { id: ref } } }
      return { body: JSON.stringify(event), contentType: 'application/json' }
    },
    resetConnection: resetStripe,
    reset() {
      resetStripe()
      forgetStripeMethods()
    },
  }
}

const stripeSettlements = (standIn: Awaited<ReturnType<typeof startStripe>>): LiveProvider['settlements'] => ({
  settle() {
    const { id, trace_id } = standIn.payOut()
    return { id, reference: trace_id?.value ?? '' }
  },
  short() {
    const last = standIn.books.payouts.at(-1)
    if (!last) throw new Error('the stand-in has no payout')
    last.amount -= 1
  },
  refuse: (isRefused) => standIn.refusePayouts(isRefused),
})

function refundOf<Status extends string>(
  refund: { status: Status },
  amount: string,
  [settled, kept, passedOn]: readonly [Status, Status, Status],
): Refund {
  const become = (status: Status) => () => {
    refund.status = status
  }
  const isCanceled = refund.status === 'canceled'
  return { amount, isCanceled, settle: become(settled), keep: become(kept), passOn: become(passedOn) }
}

const common = (standIn: Awaited<ReturnType<typeof startMollie>> | Awaited<ReturnType<typeof startStripe>>) => ({
  account: {
    apiKey: standIn.apiKey,
    base: standIn.url,
    webhookSecret: null,
    accessToken: 'accessToken' in standIn ? standIn.accessToken : null,
  },
  url: standIn.url,
  books: standIn.books,
  failNext: standIn.failNext.bind(standIn),
  hasFaults: () => standIn.hasFaults(),
  requests: (of = '') => standIn.requests.filter((each) => each.includes(of)).length,
  forgetKeys() {
    standIn.books.answered = {}
  },
  shortenPages(mostOnPage: number) {
    standIn.mostOnPage = mostOnPage
  },
  rollKey(apiKey: string) {
    standIn.apiKey = apiKey
  },
  opensWith: (key: string) => key === standIn.apiKey || ('accessToken' in standIn && key === standIn.accessToken),
  close: () => standIn.close(),
})

const mollieMishaps = (books: MollieBooks) => ({
  refundByHand(ref: string, value = '1.00') {
    const amount = { value, currency: 'EUR' }
    const made = { id: newId('re'), paymentId: ref, amount, metadata: null, createdAt: new Date().toISOString() }
    books.refunds.push({ ...made, description: '', status: 'refunded' })
  },
  lose(ref: string) {
    books.payments = books.payments.filter(({ id }) => id !== ref)
    books.refunds = books.refunds.filter(({ paymentId }) => paymentId !== ref)
  },
})

const stripeMishaps = (books: StripeBooks, intentOf: (ref: string) => string) => ({
  refundByHand(ref: string, amount = '1.00') {
    const of = { payment_intent: intentOf(ref), amount: Math.round(100 * Number(amount)), currency: 'eur' }
    books.refunds.push({ ...base('re', 'refund'), ...of, status: 'succeeded' })
  },
  lose(ref: string) {
    const intent = intentOf(ref)
    books.intents = books.intents.filter(({ id }) => id !== intent)
    books.refunds = books.refunds.filter(({ payment_intent }) => payment_intent !== intent)
  },
})
