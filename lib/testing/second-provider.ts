import { timingSafeEqual } from 'node:crypto'
import { vi } from 'vitest'
import type { Money } from '../kernel/money.ts'
import type { PaymentProvider, ProviderNotice } from '../modules/payments/provider.ts'
import {
  notCharged,
  type ProviderChargeback,
  type ProviderPayment,
  type ProviderRefund,
} from '../modules/payments/provider-data.ts'
import { registry } from '../providers/registry.ts'

/**
 * A minimal second payment provider. Its records are in memory, its notices contain a shared secret, and the test makes
 * the decisions of buyers and banks. This provider shows that a new provider needs changes only in its own files and
 * the registry.
 */

/** Makes the second provider take all new payments of a mode in the calling test file. */
export function takePaymentsAtSecondProvider(mode: 'test' | 'live'): void {
  for (const books of [payments, refunds, chargebacks, refOf]) books.clear()
  const providers = [...registry.providers, secondProvider]
  const ofNewPayments = { ...registry.ofNewPayments, [mode]: secondProvider }
  vi.spyOn(registry, 'providers', 'get').mockReturnValue(providers)
  vi.spyOn(registry, 'ofNewPayments', 'get').mockReturnValue(ofNewPayments)
}

type Stored = ProviderPayment & { readonly amount: Money; readonly returnUrl: string | null }

const secret = 'second-secret'
const payments = new Map<string, Stored>()
const refunds = new Map<string, ProviderRefund>()
const chargebacks = new Map<string, ProviderChargeback>()
/** The references of the provider by idempotency key. A repeated call returns the first result. */
const refOf = new Map<string, string>()

function once(idempotencyKey: string, make: (ref: string) => Stored): Stored {
  const known = payments.get(refOf.get(idempotencyKey) ?? '')
  if (known) return known
  const made = make(`second_${idempotencyKey}`)
  refOf.set(idempotencyKey, made.ref)
  payments.set(made.ref, made)
  return made
}

function stored(ref: string): Stored {
  const payment = payments.get(ref)
  if (!payment) throw new Error(`the second provider has no payment ${ref}`)
  return payment
}

function storedChargeback(ref: string): ProviderChargeback {
  const chargeback = chargebacks.get(ref)
  if (!chargeback) throw new Error(`the second provider has no chargeback ${ref}`)
  return chargeback
}

const open = { status: 'open', failureReason: null, mandate: null, settlesBefore: null } as const

const secondProvider: PaymentProvider = {
  name: 'second',

  async createFirstPayment(_tenant, { idempotencyKey, amount, returnUrl }) {
    const { ref } = once(idempotencyKey, (ref) => ({ ...open, ref, amount, returnUrl }))
    return { ref, redirectUrl: `https://pay.second.example/${ref}` }
  },

  async chargeMandate(_tenant, { idempotencyKey, amount, isDisputed }) {
    if (isDisputed && !refOf.has(idempotencyKey)) return notCharged
    return once(idempotencyKey, (ref) => ({
      ...open,
      ref,
      amount,
      returnUrl: null,
      status: 'pending',
      settlesBefore: new Date('2100-01-01T00:00:00Z'),
    }))
  },

  fetchPayment: async (_tenant, ref) => stored(ref),

  async cancelPayment(_tenant, ref) {
    const payment = stored(ref)
    if (payment.status === 'open') payments.set(ref, { ...payment, status: 'canceled' })
    return stored(ref)
  },

  async refund(_tenant, { idempotencyKey }) {
    const made = refunds.get(idempotencyKey) ?? { ref: `second_refund_${idempotencyKey}`, status: 'refunded' }
    refunds.set(idempotencyKey, made)
    return made
  },

  fetchChargeback: async (_tenant, ref) => storedChargeback(ref),

  async answerChargeback(_tenant, ref, answer) {
    chargebacks.set(ref, { ...storedChargeback(ref), status: answer === 'rejected' ? 'won' : 'accepted' })
  },

  readNotice({ headers, body }) {
    const given = Buffer.from(headers.get('second-secret') ?? '')
    if (given.length !== secret.length || !timingSafeEqual(given, Buffer.from(secret))) return null
    const notice: ProviderNotice = JSON.parse(Buffer.from(body).toString())
    return [notice]
  },
}

/** The decisions of buyers and banks. Each method returns the notice that the provider then posts. */
export const atSecondProvider = {
  payments: (): readonly Stored[] => [...payments.values()],
  decide(ref: string, outcome: Partial<ProviderPayment>): Request {
    payments.set(ref, { ...stored(ref), settlesBefore: null, ...outcome })
    return noticeOf({ subject: 'payment', ref, paymentRef: ref })
  },
  dispute(paymentRef: string): Request {
    const ref = `second_chargeback_${paymentRef}`
    const { amount } = stored(paymentRef)
    chargebacks.set(ref, { ref, paymentRef, amount, reason: 'fraud', status: 'pending' })
    return noticeOf({ subject: 'chargeback', ref, paymentRef })
  },
}

export const noticeOf = (notice: ProviderNotice, headers: HeadersInit = { 'second-secret': secret }): Request =>
  new Request('http://localhost/api/providers/second', { method: 'POST', headers, body: JSON.stringify(notice) })
