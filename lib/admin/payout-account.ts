import {
  auditedAccount,
  changeAccount,
  payoutAccounts,
  type ShownAccount,
  stopAccountChange,
} from '../modules/payouts/accounts.ts'
import type { PayoutAccountPage } from '../modules/payouts/page.ts'
import { checkedDetails } from '../modules/payouts/rules/account.ts'
import { config } from '../platform/config.ts'
import type { RequestContext } from '../platform/jobs/transact.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused } from './act.ts'
import { formState, type Next } from './form-state.ts'

export async function payoutAccountPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<PayoutAccountPage | null> {
  const access = await accessTo(place, 'balance/account', cookies)
  if (!access) return null
  return {
    ...(await payoutAccounts(access.tenant)),
    ...formState(access, form, cookies),
    formKey: newFormKey(),
    coolingDays: config().payoutCoolingDays,
    mayChange: access.mayDo('payout_account.change'),
  }
}

export async function submitPayoutAccount(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'balance/account', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/balance/account`
  const run = async (
    [intent, done]: readonly ['change', 'changed'] | readonly ['stop', 'stopped'],
    content: unknown,
    check: () => Promise<unknown>,
    work: (call: RequestContext) => Promise<ShownAccount>,
  ): Promise<Next> => {
    const action = `payout_account.${intent}` as const
    const entry = { action, subject: access.storefront.id, after: auditedAccount, check }
    const path = `/admin/payout-account/${intent}`
    const refusal = await once<ShownAccount>(access, values, { ...entry, path, content }, work)
    return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=${done}` }
  }
  const typed = (name: string) => (values.get(name) ?? '').trim().slice(0, 100)
  const details = { holder: typed('holder'), iban: typed('iban'), bic: typed('bic') }
  switch (values.get('intent')) {
    case 'change':
      return run(
        ['change', 'changed'],
        details,
        async () => checkedDetails(details),
        (call) => changeAccount(call, details),
      )
    case 'stop':
      return run(['stop', 'stopped'], null, async () => null, stopAccountChange)
    default:
      return { redirectTo: page }
  }
}
