import type Stripe from 'stripe'
import type { Currency } from '../../kernel/currencies.ts'
import { type PaymentMethod, testMethods } from '../../modules/payments/rules/method.ts'
import { config } from '../../platform/config.ts'
import type { Account } from '../account.ts'
import { KeptMethods, patienceMs } from '../live-payments/kept-methods.ts'
import { askerOf } from './client.ts'

/** The methods that we offer at Stripe. Its bank transfer needs a Stripe customer, and its pay by bank takes pounds only. */
export type StripeMethod = (typeof testMethods)[number]

export const typeOf = {
  creditcard: 'card',
  ideal: 'ideal',
  bancontact: 'bancontact',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
} as const satisfies Readonly<Record<StripeMethod, keyof Stripe.PaymentMethodConfiguration>>

/** How later charges are made: the account behind iDEAL and Bancontact is debited. */
export const typeOfCharge: Readonly<Record<StripeMethod, 'card' | 'paypal' | 'sepa_debit'>> = {
  creditcard: 'card',
  ideal: 'sepa_debit',
  bancontact: 'sepa_debit',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
}

/**
 * The seller's name on the bank statement. Stripe refuses the name for a card, whose statement shows the name of the account
 * (docs.stripe.com/get-started/account/statement-descriptors).
 */
export function onStatement(type: string): { statement_descriptor?: string } {
  const { statementName } = config().seller
  return type === 'card' || statementName === null ? {} : { statement_descriptor: statementName }
}

/** Stripe charges no less (docs.stripe.com/currencies, minimum charge amounts), in minor units. */
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
/** Of a currency that is not in the list: enough wherever the unit is worth a few cents. */
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
