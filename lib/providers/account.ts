import { nameOf } from '../modules/provider-accounts/names.ts'
import { credentialsOf, type ProviderAccount } from '../modules/provider-accounts/store.ts'
import { config } from '../platform/config.ts'
import { type AccountSettings, type Credentials, keyOf, type LiveProviderName } from '../platform/config-providers.ts'
import { db } from '../platform/db/db.ts'

/** An account at a provider of live payments: the installation's, or a storefront's own. */
export interface Account {
  /** Stored with its payments and mandates, and part of its webhook URL. */
  readonly name: string
  /** The current credentials, read for each request, since a key may be replaced at any time. Throws without any. */
  settings(): Promise<AccountSettings>
}

export const ofInstallation = (provider: LiveProviderName): Account => ({
  name: provider,
  async settings() {
    const set = config()[provider]
    if (!set) throw new Error(`${keyOf(provider)} is not set`)
    return set
  },
})

/** A storefront's own account, with its stored credentials or with new credentials to be tried. */
export const ofStorefront = (account: Pick<ProviderAccount, 'provider' | 'id'>, tried?: Credentials): Account => ({
  name: nameOf(account),
  async settings() {
    const credentials = tried ?? (await credentialsOf(db(), account))
    if (!credentials) throw new Error(`there is no account ${nameOf(account)}`)
    return { ...credentials, base: config().providerBases[account.provider] }
  },
})
