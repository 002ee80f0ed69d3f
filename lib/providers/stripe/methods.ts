import type Stripe from 'stripe'
import type { Currency } from '../../kernel/currencies.ts'
import { type PaymentMethod, paymentMethods } from '../../modules/payments/rules/method.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import type { Account } from '../account.ts'
import { askerOf } from './client.ts'

const keptMs = 5 * 60_000
/** A buyer waits for the page meanwhile. */
const patienceMs = 3_000

/** Stripe's name of a method. */
export const typeOf = {
  creditcard: 'card',
  ideal: 'ideal',
  bancontact: 'bancontact',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
} as const satisfies Readonly<Record<PaymentMethod, keyof Stripe.PaymentMethodConfiguration>>

/** How later charges are made: the account behind iDEAL and Bancontact is debited. */
export const typeOfCharge: Readonly<Record<PaymentMethod, 'card' | 'paypal' | 'sepa_debit'>> = {
  ...{ creditcard: 'card', ideal: 'sepa_debit', bancontact: 'sepa_debit', paypal: 'paypal', directdebit: 'sepa_debit' },
}

/** Stripe charges no less (docs.stripe.com/currencies, minimum charge amounts), in minor units. */
const leastMinor: Partial<Record<Currency, bigint>> = {
  ...{ EUR: 50n, USD: 50n, GBP: 30n, CHF: 50n, SEK: 300n, NOK: 300n, DKK: 250n, PLN: 200n, CAD: 50n },
}
/** Of a currency that is not in the list: enough wherever the unit is worth a few cents. */
const leastElsewhere = 2_000n

export const leastCharge = (currency: Currency): bigint => leastMinor[currency] ?? leastElsewhere

/** What an account usually has: the buyer may choose one of these while Stripe does not answer. */
const usual: readonly PaymentMethod[] = ['creditcard']

/** By account. */
const kept = new Map<string, { readonly at: number; readonly methods: Promise<readonly PaymentMethod[]> }>()

/** The methods that the account has on, kept for five minutes. While Stripe does not answer, those that an account usually has. */
export function methods(account: Account): Promise<readonly PaymentMethod[]> {
  const now = Date.now()
  const known = kept.get(account.name)
  if (known && now - known.at < keptMs) return known.methods
  const methods = askForMethods(account).catch((error) => {
    kept.delete(account.name)
    log.warn({ error: shortError(error) }, 'the payment methods of the account are not known')
    return usual
  })
  kept.set(account.name, { at: now, methods })
  return methods
}

async function askForMethods(account: Account): Promise<readonly PaymentMethod[]> {
  const { data } = await askerOf(account)((api) =>
    api.paymentMethodConfigurations.list({ limit: 100 }, { timeout: patienceMs }),
  )
  const own = data.filter(({ active, application }) => active && application === null)
  const configuration = own.find(({ is_default }) => is_default) ?? own[0]
  return paymentMethods.filter((method) => configuration?.[typeOf[method]]?.available)
}

/** For tests: nothing is kept. */
export const forgetMethods = (): void => kept.clear()
