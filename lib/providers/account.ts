import { ProviderUnavailable } from '../modules/payments/provider-unavailable.ts'
import { nameOf } from '../modules/provider-accounts/names.ts'
import { credentialsOf, type ProviderAccount } from '../modules/provider-accounts/store.ts'
import { config } from '../platform/config.ts'
import { type AccountSettings, type Credentials, keyOf, type LiveProviderName } from '../platform/config-providers.ts'
import { db } from '../platform/db/db.ts'

/** The account has no usable credentials, so nothing was sent to the provider. */
class Unusable extends ProviderUnavailable {
  override readonly isTemporary = false
}

export interface Account {
  /** The name is stored with the account's payments and mandates, and is part of the account's webhook URL. */
  readonly name: string
  /** The current credentials, read for each request because a key can be replaced. Throws if there are no credentials. */
  settings(): Promise<AccountSettings>
}

export const ofInstallation = (provider: LiveProviderName): Account => ({
  name: provider,
  async settings() {
    const set = config()[provider]
    if (!set) throw new Unusable(`${keyOf(provider)} is not set`)
    return set
  },
})

/** The storefront's own account, with its stored credentials or with new credentials to test (`tried`). */
export const ofStorefront = (account: Pick<ProviderAccount, 'provider' | 'id'>, tried?: Credentials): Account => ({
  name: nameOf(account),
  async settings() {
    const credentials = tried ?? (await credentialsOf(db(), account))
    if (!credentials) throw new Unusable(`there is no account ${nameOf(account)}`)
    if (credentials === 'lost')
      throw new Unusable(
        `the stored key of ${nameOf(account)} cannot be decrypted: set it again with provider-account replace-key`,
      )
    return { ...credentials, base: config().providerBases[account.provider] }
  },
})
