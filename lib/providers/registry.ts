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

/** Every payment provider, and which one takes the new payments of a mode. A new provider is entered here. */
export const registry: {
  readonly providers: readonly PaymentProvider[]
  /** A mode without a provider has checkouts that cannot be paid, but for storefronts with an account of their own. */
  readonly ofNewPayments: Readonly<Record<'test' | 'live', PaymentProvider | null>>
  /** Providers with an account of the installation. A provider that takes no new payments still serves its old payments. */
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
