/** The accounts of storefronts at providers of live payments, newest first. Times are ISO 8601 in UTC. */
export interface ProviderAccountsPage {
  readonly accounts: readonly {
    readonly id: string
    readonly storefront: string
    readonly storefrontUrl: string
    readonly provider: string
    readonly createdAt: string
    /** Since when it takes no new payments; null while it takes them. */
    readonly endedAt: string | null
    /** The address to which the provider sends notices. */
    readonly notices: string
  }[]
}
