import { isId } from '../../kernel/ids.ts'
import { isLiveProvider, liveProvider } from '../../platform/config-providers.ts'
import type { ProviderAccount } from './store.ts'

/** The title of a provider of live payments, such as `Mollie`; null for other names, such as the name of the test provider. */
export const titleOf = (provider: string): string | null =>
  isLiveProvider(provider) ? liveProvider(provider).title : null

/** The account's name in payments, mandates, and notices: `mollie-provider_account_…`. */
export const nameOf = ({ provider, id }: Pick<ProviderAccount, 'provider' | 'id'>): string => `${provider}-${id}`

/**
 * Returns the account in a name that `nameOf` made. Returns null for any other name, such as the name of the
 * installation's own account.
 */
export function accountNamed(name: string): Pick<ProviderAccount, 'provider' | 'id'> | null {
  const at = name.indexOf('-')
  const [provider, id] = [name.slice(0, at), name.slice(at + 1)]
  return isLiveProvider(provider) && isId('provider_account_', id) ? { provider, id } : null
}
