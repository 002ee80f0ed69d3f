import type { PaymentMethod } from '../../payments/rules/method.ts'

export type Arrival = 'card' | 'wallet' | 'bank'

const arrivals: Readonly<Partial<Record<PaymentMethod, Arrival>>> = { creditcard: 'card', paypal: 'wallet' }

/** The other methods collect from a bank account, to which the refund returns. */
export const arrivalOf = (method: string | null): Arrival => arrivals[method as PaymentMethod] ?? 'bank'
