import type { z } from 'zod'
import { isCurrency } from '../../kernel/currencies.ts'
import { lookUp } from '../../kernel/look-up.ts'
import { type Currency, formatMoney, parseMoney } from '../../kernel/money.ts'
import type { MethodsFor } from '../../modules/payments/provider.ts'
import { brokenLimit, type ChargeLimits, noLimits } from '../../modules/payments/rules/charge-limits.ts'
import { type PaymentMethod, paymentMethods } from '../../modules/payments/rules/method.ts'
import type { MandateMethod } from '../../modules/subscriptions/rules/index.ts'
import type { Account } from '../account.ts'
import { KeptMethods, patienceMs } from '../live-payments/kept-methods.ts'
import { askerOf } from './client.ts'
import { type MollieMethod, mollieMethod, pageOf } from './shapes.ts'

const kept = new KeptMethods<readonly PaymentMethod[]>(['creditcard', 'ideal', 'bancontact', 'paypal'])

export function methods(
  account: Account,
  { amount, makesMandate, country }: MethodsFor,
): Promise<readonly PaymentMethod[]> {
  const query = new URLSearchParams({
    sequenceType: makesMandate ? 'first' : 'oneoff',
    'amount[value]': formatMoney(amount),
    'amount[currency]': amount.currency,
    ...(country && { billingCountry: country }),
  })
  return kept.methods(`${account.name} ${query}`, () => askFor(account, query))
}

async function askFor(account: Account, query: URLSearchParams): Promise<readonly PaymentMethod[]> {
  const amount = { value: query.get('amount[value]') ?? '', currency: query.get('amount[currency]') ?? '' }
  const paid = minorOf(amount)
  const items = (await active(account, query)).filter(
    (method) => paid === null || brokenLimit(paid, limitsOf(method, amount.currency)) === null,
  )
  // `directdebit` is never offered, even if the account lists it, because a direct debit needs an existing mandate.
  return paymentMethods.filter((method) => method !== 'directdebit' && items.some(({ id }) => id === method))
}

async function active(account: Account, query: URLSearchParams): Promise<MollieMethod[]> {
  const shape: z.ZodType<{ items: MollieMethod[] }> = pageOf('methods', mollieMethod)
  const { items } = await askerOf(account)(shape, { method: 'GET', path: `methods?${query}`, timeoutMs: patienceMs })
  return items.filter(({ status }) => !status || status === 'activated')
}

/** Limits are in the currency of the account and do not apply to other currencies. */
const limitsOf = ({ minimumAmount, maximumAmount }: MollieMethod, currency: string): ChargeLimits => ({
  least: (minimumAmount?.currency === currency && minorOf(minimumAmount)) || 0n,
  most: maximumAmount?.currency === currency ? minorOf(maximumAmount) : null,
})

function minorOf({ value, currency }: { value: string; currency: string }): bigint | null {
  return isCurrency(currency) ? (parseMoney(value, currency)?.minor ?? null) : null
}

type Limits = Readonly<Partial<Record<MandateMethod, ChargeLimits>>>

const chargedBy: Readonly<Record<string, MandateMethod>> = {
  creditcard: 'card',
  paypal: 'paypal',
  directdebit: 'sepa_debit',
}

/** Mollie's default limit for direct debits is 1,000.00. */
const usualLimits: Limits = { card: noLimits, paypal: noLimits, sepa_debit: { least: 0n, most: 100_000n } }
const keptLimits = new KeptMethods<Limits>(usualLimits)
const said = new Map<string, Limits>()

export async function learnLimits(account: Account, currency: Currency): Promise<void> {
  const key = `${account.name} ${currency}`
  said.set(key, await keptLimits.methods(key, () => askForLimits(account, currency)))
}

export const chargeLimits = (account: Account, method: MandateMethod, currency: Currency): ChargeLimits | null =>
  (said.get(`${account.name} ${currency}`) ?? usualLimits)[method] ?? null

/**
 * Fetches the limits of each method. Without an amount, Mollie lists all methods with their limits. A request for a
 * currency other than EUR needs an amount.
 */
async function askForLimits(account: Account, currency: Currency): Promise<Limits> {
  const inCurrency = { 'amount[value]': '10.00', 'amount[currency]': currency }
  const query = new URLSearchParams({ sequenceType: 'recurring', ...(currency !== 'EUR' && inCurrency) })
  const limits = (await active(account, query)).flatMap((method) => {
    const charged = lookUp(chargedBy, method.id)
    return charged ? [[charged, limitsOf(method, currency)]] : []
  })
  return Object.fromEntries(limits)
}

export function forgetMethods(): void {
  kept.forget()
  keptLimits.forget()
  said.clear()
}
