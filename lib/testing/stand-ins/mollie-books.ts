import { randomBytes } from 'node:crypto'
import { type Books, newId } from './stand-in.ts'

export interface Amount {
  readonly currency: string
  readonly value: string
}

export type Status = 'open' | 'pending' | 'paid' | 'canceled' | 'expired' | 'failed'

export interface Payment {
  readonly id: string
  readonly createdAt: string
  readonly amount: Amount
  readonly description: string
  method: string | null
  readonly sequenceType: 'oneoff' | 'first' | 'recurring'
  readonly customerId: string | null
  mandateId: string | null
  readonly redirectUrl: string | null
  readonly webhookUrl: string | null
  readonly locale: string | null
  readonly metadata: unknown
  status: Status
  details: Record<string, unknown>
  readonly expiresAt?: string
}

export interface Mandate {
  readonly id: string
  readonly customerId: string
  readonly method: string
  status: 'valid' | 'pending' | 'invalid'
  readonly mandateReference: string
  readonly signatureDate: string | null
  readonly createdAt: string
  readonly details: Record<string, string>
}

interface Refund {
  readonly id: string
  readonly paymentId: string
  readonly description: string
  readonly amount: Amount
  readonly metadata: unknown
  readonly createdAt: string
  status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled'
}

interface Chargeback {
  readonly id: string
  readonly paymentId: string
  readonly amount: Amount
  readonly reason: { code: string; description: string } | null
  readonly createdAt: string
  reversedAt: string | null
}

/** One row of the revenue or the costs of a settlement, in Mollie's precision. */
interface Subtotal {
  readonly description: string
  readonly method: string
  readonly count: number
  readonly amountNet: Amount
  readonly amountVat: Amount | null
  readonly amountGross: Amount
}

interface Cost extends Subtotal {
  readonly rate: { readonly fixed: Amount; readonly percentage: string }
}

export interface Settlement {
  readonly id: string
  readonly reference: string
  readonly createdAt: string
  readonly settledAt: string | null
  status: 'open' | 'pending' | 'paidout' | 'failed'
  amount: Amount
  readonly balanceId: string
  readonly periods: Record<string, Record<string, { revenue: Subtotal[]; costs: Cost[]; invoiceId: string }>>
  /** The ids of the settled objects. Each object is in one settlement. */
  readonly includes: { payments: string[]; refunds: string[]; chargebacks: string[] }
}

export interface MollieBooks extends Books {
  customers: {
    id: string
    name: string | null
    email: string | null
    locale: string | null
    metadata: unknown
    createdAt: string
  }[]
  payments: Payment[]
  mandates: Mandate[]
  refunds: Refund[]
  chargebacks: Chargeback[]
  settlements: Settlement[]
}

export const emptyBooks = (): MollieBooks => ({
  customers: [],
  payments: [],
  mandates: [],
  refunds: [],
  chargebacks: [],
  settlements: [],
  answered: {},
})

export const cents = ({ value }: Amount): number => Math.round(Number(value) * 100)

/** The mandate that a first payment creates. An iDEAL or Bancontact payment creates a mandate for direct debits. */
export function mandateMadeBy({ method, customerId }: Payment, status: Mandate['status']): Mandate | null {
  if (!customerId || method === null) return null
  const account = { consumerName: 'Stand-in Buyer', consumerAccount: 'NL91ABNA0417164300' }
  const ofMethods: Record<string, { method: string; details: Record<string, string> }> = {
    creditcard: { method: 'creditcard', details: { cardNumber: '6787', cardLabel: 'Visa' } },
    paypal: { method: 'paypal', details: { consumerAccount: 'buyer@example.com' } },
    ideal: { method: 'directdebit', details: account },
    bancontact: { method: 'directdebit', details: account },
  }
  const of = ofMethods[method]
  const reference = `ST-${randomBytes(4).toString('hex').toUpperCase()}`
  const createdAt = new Date().toISOString()
  const made = {
    id: newId('mdt'),
    customerId,
    mandateReference: reference,
    signatureDate: createdAt.slice(0, 10),
    createdAt,
  }
  return of ? { ...made, status, ...of } : null
}
