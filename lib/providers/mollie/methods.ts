import { formatMoney } from '../../kernel/money.ts'
import type { MethodsFor } from '../../modules/payments/provider.ts'
import { type PaymentMethod, paymentMethods } from '../../modules/payments/rules/method.ts'
import type { Account } from '../account.ts'
import { KeptMethods, patienceMs } from '../live-payments/kept-methods.ts'
import { askerOf } from './client.ts'
import { mollieMethod, pageOf } from './shapes.ts'

/** What an account usually has. */
const kept = new KeptMethods(['creditcard', 'ideal', 'bancontact', 'paypal'])

/** The methods of the account for an amount, a country and whether later charges follow. */
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
  const shape = pageOf('methods', mollieMethod)
  const { items } = await askerOf(account)(shape, { method: 'GET', path: `methods?${query}`, timeoutMs: patienceMs })
  const active = items.filter(({ status }) => !status || status === 'activated').map(({ id }) => id)
  return paymentMethods.filter((method) => active.includes(method))
}

/** For tests: nothing is kept. */
export const forgetMethods = (): void => kept.forget()
