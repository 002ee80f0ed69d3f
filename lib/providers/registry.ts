import type { PaymentProvider } from '../modules/payments/provider.ts'
import { config } from '../platform/config.ts'
import type { Job } from '../platform/jobs/tasks.ts'
import { mollie } from './mollie/provider.ts'
import { sandboxJobs } from './sandbox/jobs.ts'
import { sandbox } from './sandbox/provider.ts'
import { stripe } from './stripe/provider.ts'

const live = { mollie, stripe }

/** Every payment provider, and which one takes the new payments of a mode. A new provider is entered here. */
export const registry: {
  readonly providers: readonly PaymentProvider[]
  /** A mode without a provider has checkouts that cannot be paid. */
  readonly ofNewPayments: Readonly<Record<'test' | 'live', PaymentProvider | null>>
  /** Those with an account. One that takes no new payments serves those that it took. */
  connected(): readonly PaymentProvider[]
  readonly jobs: readonly Job[]
} = {
  providers: [sandbox, mollie, stripe],
  ofNewPayments: {
    test: sandbox,
    get live() {
      const { livePayments } = config()
      return config()[livePayments] ? live[livePayments] : null
    },
  },
  connected: () => Object.values(live).filter(({ name }) => config()[name as keyof typeof live]),
  jobs: sandboxJobs,
}
