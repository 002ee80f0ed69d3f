import type { Difference } from '../reconciliations/rules/compare.ts'
import type { KeptSettlement } from '../reconciliations/store.ts'

/** What must hold of the stored data, and whether it did. Moments are ISO 8601 in UTC. */
export interface InvariantsPage {
  /** When they were checked last; null before the first check. */
  readonly checkedAt: string | null
  /** Whether a check that was asked for waits or runs. */
  readonly isRequested: boolean
  readonly invariants: readonly {
    /** As in the documents: I1 to I20, and W. */
    readonly of: string
    readonly subject: string
    /** What must hold. */
    readonly name: string
    /** The first violating rows of the last check; null before the first check. */
    readonly brokenBy: readonly string[] | null
  }[]
  /** The last checks, one per day, newest first. */
  readonly history: readonly { readonly day: string; readonly finishedAt: string; readonly broken: number }[]
}

/** Waiting and failed work of one kind, in one storefront and mode. */
export interface BacklogRow {
  readonly storefront: string
  readonly mode: 'test' | 'live'
  readonly url: string
  readonly waiting: number
  /** Creation time of the oldest waiting item; null if none waits. */
  readonly oldestAt: string | null
  readonly failed: number
}

/** What the service does on its own, for operators. Moments are ISO 8601 in UTC. */
export interface WorkPage {
  readonly queues: readonly {
    readonly name: 'work' | 'webhooks' | 'email'
    readonly due: number
    readonly lateSeconds: number
  }[]
  /** Deliveries that wait for an attempt, and that were given up, by storefront. */
  readonly deliveries: readonly BacklogRow[]
  /** Emails that wait to be sent, and that were refused, by storefront. */
  readonly emails: readonly BacklogRow[]
  /** The maximum that is counted. */
  readonly mostCounted: number
  /** The services that the installation depends on and that are configured, each `ok` or what is wrong with it. */
  readonly services: readonly {
    readonly name: 'payments' | 'inngest' | 'mail' | 'vies' | 'hmrc' | 'rates'
    readonly state: string
  }[]
  /** Tasks whose last run failed. */
  readonly failing: readonly {
    readonly id: string
    readonly name: string
    readonly storefrontUrl: string | null
    readonly attempts: number
    readonly lastError: string
    readonly runAt: string
  }[]
  /** The newest check of the invariants; null before the first one. */
  readonly check: {
    readonly finishedAt: string
    readonly broken: readonly { readonly name: string; readonly ids: readonly string[] }[]
  } | null
  /** The newest comparison with the books of each provider of live payments. */
  readonly reconciliations: readonly {
    readonly provider: string
    readonly finishedAt: string
    readonly payments: number
    readonly refunds: number
    readonly chargebacks: number
    /** Number of settlements read. */
    readonly settlements: number
    /** The payouts of the provider to us in the last weeks. */
    readonly paidOut: readonly KeptSettlement[]
    readonly differences: readonly Difference[]
  }[]
}
