import type { PaymentProvider } from '../modules/payments/provider.ts'
import { config } from '../platform/config.ts'
import type { Job } from '../platform/jobs/tasks.ts'
import { mollie } from './mollie/provider.ts'
import { sandboxJobs } from './sandbox/jobs.ts'
import { sandbox } from './sandbox/provider.ts'

/** Every payment provider, and which one takes the new payments of a mode. A new provider is entered here. */
export const registry: {
  readonly providers: readonly PaymentProvider[]
  /** A mode without a provider has checkouts that cannot be paid. */
  readonly ofNewPayments: Readonly<Record<'test' | 'live', PaymentProvider | null>>
  readonly jobs: readonly Job[]
} = {
  providers: [sandbox, mollie],
  ofNewPayments: {
    test: sandbox,
    get live() {
      return config().mollie ? mollie : null
    },
  },
  jobs: sandboxJobs,
}
