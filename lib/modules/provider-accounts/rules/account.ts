import { isId } from '../../../kernel/ids.ts'

/** The providers of live payments. */
export const liveProviders = ['mollie', 'stripe'] as const
export type LiveProviderName = (typeof liveProviders)[number]

/** An account of a storefront's own at a provider of live payments. */
export interface ProviderAccount {
  readonly id: string
  readonly storefrontId: string
  readonly provider: LiveProviderName
  readonly createdAt: Date
  /** Since when it takes no new payments; it serves what it took. Null while it takes them. */
  readonly endedAt: Date | null
}

/** What opens an account. */
export interface Credentials {
  readonly apiKey: string
  /** Reads what Mollie paid; null without it, and elsewhere. */
  readonly accessToken: string | null
  /** Signs Stripe's events; null without it, and elsewhere. */
  readonly webhookSecret: string | null
}

/** Under which name payments and mandates have their account, and notices arrive: `mollie-provider_account_…`. */
export const nameOf = ({ provider, id }: Pick<ProviderAccount, 'provider' | 'id'>): string => `${provider}-${id}`

/** The account of such a name; null for any other name, such as that of the installation's account. */
export function accountNamed(name: string): Pick<ProviderAccount, 'provider' | 'id'> | null {
  const at = name.indexOf('-')
  const [provider, id] = [name.slice(0, at), name.slice(at + 1)]
  return isProvider(provider) && isId('provider_account_', id) ? { provider, id } : null
}

export const isProvider = (name: string): name is LiveProviderName => liveProviders.some((each) => each === name)
