import type { Difference } from '../reconciliations/rules/compare.ts'
import type { KeptSettlement } from '../reconciliations/store.ts'

/** Times are ISO 8601 in UTC. */
export interface InvariantsPage {
  readonly checkedAt: string | null
  readonly isRequested: boolean
  readonly invariants: readonly {
    readonly of: string
    readonly name: string
    readonly brokenBy: readonly string[] | null
  }[]
  readonly history: readonly { readonly day: string; readonly finishedAt: string; readonly broken: number }[]
}

export interface BacklogRow {
  readonly storefront: string
  readonly mode: 'test' | 'live'
  readonly url: string
  readonly waiting: number
  readonly oldestAt: string | null
  readonly failed: number
  /** The number of emails that cannot be decrypted; 0 for deliveries. */
  readonly unreadable: number
}

/** Times are ISO 8601 in UTC. */
export interface WorkPage {
  readonly queues: readonly {
    readonly name: 'work' | 'webhooks' | 'email'
    readonly due: number
    readonly lateSeconds: number
  }[]
  readonly deliveries: readonly BacklogRow[]
  readonly emails: readonly BacklogRow[]
  readonly mostCounted: number
  readonly services: readonly {
    readonly name: 'payments' | 'inngest' | 'mail' | 'vies' | 'hmrc' | 'rates'
    /**
     * Null if the service responds. `account` is the id of a storefront's own provider account; null for a provider
     * account of the installation, and for any other service.
     */
    readonly trouble: { readonly problem: string; readonly since: string; readonly account: string | null } | null
  }[]
  readonly failing: readonly {
    readonly id: string
    readonly name: string
    readonly storefrontUrl: string | null
    /** `storefront` is the name of the storefront; null for a task of the whole installation. */
    readonly storefront: string | null
    readonly attempts: number
    readonly lastError: string
    readonly runAt: string
  }[]
  readonly check: {
    readonly finishedAt: string
    readonly broken: readonly { readonly name: string; readonly ids: readonly string[] }[]
  } | null
  readonly reconciliations: readonly {
    readonly provider: string
    readonly finishedAt: string
    readonly payments: number
    readonly refunds: number
    readonly chargebacks: number
    readonly settlements: number
    /** The provider's recent payouts to the operator of this installation. */
    readonly paidOut: readonly KeptSettlement[]
    readonly differences: readonly Difference[]
  }[]
}
