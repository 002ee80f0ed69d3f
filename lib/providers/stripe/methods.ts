import type Stripe from 'stripe'
import type { MethodsFor } from '../../modules/payments/provider.ts'
import { type PaymentMethod, paymentMethods } from '../../modules/payments/rules/method.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { ask } from './client.ts'

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

/** Methods that take euros only. */
const euroOnly: readonly PaymentMethod[] = ['ideal', 'bancontact', 'directdebit']
/** Stripe charges no less, in euros or dollars (docs.stripe.com/currencies, minimum charge amounts). */
const leastMinor = 50n

/** What an account usually has: the buyer may choose one of these while Stripe does not answer. */
const usual: readonly PaymentMethod[] = ['creditcard']

let kept: { readonly at: number; readonly methods: Promise<readonly PaymentMethod[]> } | null = null

/**
 * The methods that the account has on, kept for five minutes; none for less than Stripe charges. While Stripe does not answer,
 * those that an account usually has.
 */
export async function methods({ amount, makesMandate }: MethodsFor): Promise<readonly PaymentMethod[]> {
  const isVerification = amount.minor === 0n && makesMandate
  if (amount.minor < leastMinor && !isVerification) return []
  const active = await activeMethods()
  return active.filter((method) => amount.currency === 'EUR' || !euroOnly.includes(method))
}

function activeMethods(): Promise<readonly PaymentMethod[]> {
  const now = Date.now()
  if (kept && now - kept.at < keptMs) return kept.methods
  const methods = askForMethods().catch((error) => {
    kept = null
    log.warn({ error: shortError(error) }, 'the payment methods of the account are not known')
    return usual
  })
  kept = { at: now, methods }
  return methods
}

async function askForMethods(): Promise<readonly PaymentMethod[]> {
  const { data } = await ask((api) => api.paymentMethodConfigurations.list({ limit: 100 }, { timeout: patienceMs }))
  const own = data.filter(({ active, application }) => active && application === null)
  const configuration = own.find(({ is_default }) => is_default) ?? own[0]
  return paymentMethods.filter((method) => configuration?.[typeOf[method]]?.available)
}

/** For tests: nothing is kept. */
export const forgetMethods = (): void => {
  kept = null
}
