import { isId } from '../../kernel/ids.ts'
import { isLiveProvider } from '../../platform/config-providers.ts'
import type { ProviderAccount } from './store.ts'

/** The account's name in payments, mandates, and notices: `mollie-provider_account_…`. */
export const nameOf = ({ provider, id }: Pick<ProviderAccount, 'provider' | 'id'>): string => `${provider}-${id}`

/** Null for any other name, such as that of the installation's account. */
export function accountNamed(name: string): Pick<ProviderAccount, 'provider' | 'id'> | null {
  const at = name.indexOf('-')
  const [provider, id] = [name.slice(0, at), name.slice(at + 1)]
  return isLiveProvider(provider) && isId('provider_account_', id) ? { provider, id } : null
}
