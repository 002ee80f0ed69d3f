import type { Difference } from '../reconciliations/rules/compare.ts'

/** What the service does on its own, for operators. Moments are ISO 8601 in UTC. */
export interface WorkPage {
  readonly queues: readonly {
    readonly name: 'work' | 'webhooks' | 'email'
    readonly due: number
    readonly lateSeconds: number
  }[]
  /** How the Inngest server does; null without one. */
  readonly inngest: string | null
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
    /** How many were read. */
    readonly settlements: number
    readonly differences: readonly Difference[]
  }[]
}
