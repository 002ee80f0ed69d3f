import { formatMoney } from '../../kernel/money.ts'
import type { MethodsFor } from '../../modules/payments/provider.ts'
import { type PaymentMethod, paymentMethods } from '../../modules/payments/rules/method.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import type { Account } from '../account.ts'
import { askerOf } from './client.ts'
import { mollieMethod, pageOf } from './shapes.ts'

const keptMs = 5 * 60_000
const mostKept = 500
/** A buyer waits for the page meanwhile. */
const patienceMs = 3_000

/** What an account usually has: the buyer may choose one of these while Mollie does not answer. */
const usual: readonly PaymentMethod[] = ['creditcard', 'ideal', 'bancontact', 'paypal']

const kept = new Map<string, { readonly at: number; readonly methods: Promise<readonly PaymentMethod[]> }>()

/**
 * The methods of the account for an amount, a country and whether later charges follow, kept for five minutes. While
 * Mollie does not answer, those that an account usually has.
 */
export async function methods(
  account: Account,
  { amount, makesMandate, country }: MethodsFor,
): Promise<readonly PaymentMethod[]> {
  const query = new URLSearchParams({
    sequenceType: makesMandate ? 'first' : 'oneoff',
    'amount[value]': formatMoney(amount),
    'amount[currency]': amount.currency,
    ...(country && { billingCountry: country }),
  })
  const key = `${account.name} ${query}`
  const now = Date.now()
  const known = kept.get(key)
  if (known && now - known.at < keptMs) return known.methods
  const asked = askFor(account, query).catch((error) => {
    kept.delete(key)
    log.warn({ error: shortError(error) }, 'the payment methods of the account are not known')
    return usual
  })
  kept.delete(key)
  kept.set(key, { at: now, methods: asked })
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break
    kept.delete(oldest)
  }
  return asked
}

async function askFor(account: Account, query: URLSearchParams): Promise<readonly PaymentMethod[]> {
  const shape = pageOf('methods', mollieMethod)
  const { items } = await askerOf(account)(shape, { method: 'GET', path: `methods?${query}`, timeoutMs: patienceMs })
  const active = items.filter(({ status }) => !status || status === 'activated').map(({ id }) => id)
  return paymentMethods.filter((method) => active.includes(method))
}

/** For tests: nothing is kept. */
export const forgetMethods = (): void => kept.clear()
