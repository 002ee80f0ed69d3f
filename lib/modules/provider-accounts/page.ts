export { titleOf } from './names.ts'

/** The live provider accounts of storefronts, newest first. Times are ISO 8601 in UTC. */
export interface ProviderAccountsPage {
  readonly accounts: readonly {
    readonly id: string
    readonly storefront: string
    readonly storefrontUrl: string
    readonly provider: string
    readonly createdAt: string
    /** `endedAt` is the time at which the account stopped receiving new payments; null while it receives them. */
    readonly endedAt: string | null
    readonly notices: string
  }[]
}
