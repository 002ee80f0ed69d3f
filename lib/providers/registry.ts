import type { PaymentProvider } from '../modules/payments/provider.ts'
import type { Job } from '../platform/jobs/tasks.ts'
import { sandboxJobs } from './sandbox/jobs.ts'
import { sandbox } from './sandbox/provider.ts'

/** Every payment provider, and which one takes the new payments of a mode. A new provider is entered here. */
export const registry: {
  readonly providers: readonly PaymentProvider[]
  readonly ofNewPayments: Readonly<Record<'test' | 'live', PaymentProvider | null>>
  readonly jobs: readonly Job[]
} = {
  providers: [sandbox],
  // Live mode has none yet: its checkouts cannot be paid.
  ofNewPayments: { test: sandbox, live: null },
  jobs: sandboxJobs,
}
