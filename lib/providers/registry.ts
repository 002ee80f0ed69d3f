import type { PaymentProvider } from '../modules/payments/provider.ts'
import type { ProviderAccount } from '../modules/provider-accounts/store.ts'
import { config } from '../platform/config.ts'
import {
  type Credentials,
  type LiveProviderName,
  liveProviderNames,
  perLiveProvider,
} from '../platform/config-providers.ts'
import type { Job } from '../platform/jobs/tasks.ts'
import { tracedMethods } from '../platform/tracing.ts'
import { type Account, ofInstallation, ofStorefront } from './account.ts'
import { Mollie } from './mollie/provider.ts'
import { sandboxJobs } from './sandbox/jobs.ts'
import { sandbox as ofTests } from './sandbox/provider.ts'
import { StripeProvider } from './stripe/provider.ts'

const live: Readonly<Record<LiveProviderName, new (account: Account) => PaymentProvider>> = {
  mollie: Mollie,
  stripe: StripeProvider,
}
const traced = (provider: PaymentProvider) => tracedMethods(`provider ${provider.name.split('-', 1)[0]}`, provider)
const sandbox = traced(ofTests)
const ofKeys = perLiveProvider((name) => traced(new live[name](ofInstallation(name))))

export const registry: {
  readonly providers: readonly PaymentProvider[]
  /**
   * The provider of new payments by mode. If it is null, checkouts of the mode cannot be paid, except in storefronts
   * with their own account.
   */
  readonly ofNewPayments: Readonly<Record<'test' | 'live', PaymentProvider | null>>
  /** Providers with an account of the installation, including providers that only serve earlier payments. */
  connected(): readonly PaymentProvider[]
  at(account: Pick<ProviderAccount, 'provider' | 'id'>, credentials?: Credentials): PaymentProvider
  readonly jobs: readonly Job[]
} = {
  providers: [sandbox, ...Object.values(ofKeys)],
  ofNewPayments: {
    test: sandbox,
    get live() {
      const { livePayments } = config()
      return config()[livePayments] ? ofKeys[livePayments] : null
    },
  },
  connected: () => liveProviderNames.flatMap((name) => (config()[name] ? ofKeys[name] : [])),
  at: (account, credentials) => traced(new live[account.provider](ofStorefront(account, credentials))),
  jobs: sandboxJobs,
}
