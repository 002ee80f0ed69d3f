import { titleOf } from '@/lib/modules/provider-accounts/page.ts'
import { adminText as t } from './text.ts'

/** The name of a payment provider, with the account id in parentheses if a storefront has its own account: `mollie-acc` becomes `Mollie (acc)`. */
export function providerName(provider: string): string {
  if (provider === 'sandbox') return t('providers.sandbox')
  const [name = '', ...account] = provider.split('-')
  const title = titleOf(name)
  if (title === null) return provider
  return account.length === 0 ? title : `${title} (${account.join('-')})`
}
