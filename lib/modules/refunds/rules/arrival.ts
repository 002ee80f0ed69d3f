import type { PaymentMethod } from '../../payments/rules/method.ts'

export type Arrival = 'card' | 'wallet' | 'bank'

const arrivals: Readonly<Partial<Record<PaymentMethod, Arrival>>> = { creditcard: 'card', paypal: 'wallet' }

/** A method that `arrivals` does not list collects from a bank account, so its refunds arrive on that account. */
export const arrivalOf = (method: string | null): Arrival => arrivals[method as PaymentMethod] ?? 'bank'
