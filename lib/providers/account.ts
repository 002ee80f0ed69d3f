import { nameOf } from '../modules/provider-accounts/names.ts'
import { credentialsOf, type ProviderAccount } from '../modules/provider-accounts/store.ts'
import { config } from '../platform/config.ts'
import { type AccountSettings, type Credentials, keyOf, type LiveProviderName } from '../platform/config-providers.ts'
import { db } from '../platform/db/db.ts'

/** An account at a provider of live payments: the installation's, or a storefront's own. */
export interface Account {
  /** Of its payments and mandates, and in the address of its notices. */
  readonly name: string
  /** As they are now, read for each request: a key may be replaced at any time. Throws if there are none. */
  settings(): Promise<AccountSettings>
}

/** The account of the environment's key. */
export const ofInstallation = (provider: LiveProviderName): Account => ({
  name: provider,
  async settings() {
    const set = config()[provider]
    if (!set) throw new Error(`${keyOf(provider)} is not set`)
    return set
  },
})

/** A storefront's own, with the credentials that are kept, or with others that are to be tried. */
export const ofStorefront = (account: Pick<ProviderAccount, 'provider' | 'id'>, tried?: Credentials): Account => ({
  name: nameOf(account),
  async settings() {
    const credentials = tried ?? (await credentialsOf(db(), account))
    if (!credentials) throw new Error(`there is no account ${nameOf(account)}`)
    return { ...credentials, base: config().providerBases[account.provider] }
  },
})
