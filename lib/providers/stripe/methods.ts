import type Stripe from 'stripe'
import type { Currency } from '../../kernel/currencies.ts'
import { type PaymentMethod, testMethods } from '../../modules/payments/rules/method.ts'
import { config } from '../../platform/config.ts'
import type { Account } from '../account.ts'
import { KeptMethods, patienceMs } from '../live-payments/kept-methods.ts'
import { askerOf } from './client.ts'

/** The type omits two methods: Stripe's bank transfer needs a Stripe customer, and Stripe's pay by bank supports GBP only. */
export type StripeMethod = (typeof testMethods)[number]

export const typeOf = {
  creditcard: 'card',
  ideal: 'ideal',
  bancontact: 'bancontact',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
} as const satisfies Readonly<Record<StripeMethod, keyof Stripe.PaymentMethodConfiguration>>

export const typeOfCharge: Readonly<Record<StripeMethod, 'card' | 'paypal' | 'sepa_debit'>> = {
  creditcard: 'card',
  ideal: 'sepa_debit',
  bancontact: 'sepa_debit',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
}

/** Omits `statement_descriptor` for cards, because Stripe refuses it (docs.stripe.com/get-started/account/statement-descriptors). */
export function onStatement(type: string): { statement_descriptor?: string } {
  const { statementName } = config().seller
  return type === 'card' || statementName === null ? {} : { statement_descriptor: statementName }
}

/** Minimum charges in minor units (docs.stripe.com/currencies). */
const leastMinor: Partial<Record<Currency, bigint>> = {
  EUR: 50n,
  USD: 50n,
  GBP: 30n,
  CHF: 50n,
  SEK: 300n,
  NOK: 300n,
  DKK: 250n,
  PLN: 200n,
  CAD: 50n,
}
/**
 * The minimum charge of other currencies in minor units. This amount is sufficient if one unit of the currency is worth
 * at least a few cents.
 */
const leastElsewhere = 2_000n

export const leastCharge = (currency: Currency): bigint => leastMinor[currency] ?? leastElsewhere

const kept = new KeptMethods<readonly PaymentMethod[]>(['creditcard'])

export const methods = (account: Account): Promise<readonly PaymentMethod[]> =>
  kept.methods(account.name, () => askForMethods(account))

async function askForMethods(account: Account): Promise<readonly PaymentMethod[]> {
  const { data } = await askerOf(
    account,
    'page',
  )((api) => api.paymentMethodConfigurations.list({ limit: 100 }, { timeout: patienceMs }))
  const own = data.filter(({ active, application }) => active && application === null)
  const configuration = own.find(({ is_default }) => is_default) ?? own[0]
  return testMethods.filter((method) => configuration?.[typeOf[method]]?.available)
}

export const forgetMethods = (): void => kept.forget()
